import type { AgentApp, Stream } from "@agentclientprotocol/sdk";
import { SkillError } from "../core/base/errors.ts";
import { DEFAULTS } from "../core/base/limits.ts";
import type { ScriptOptions } from "../core/script/script-options.ts";
import type { ScriptHost } from "../core/session/script-host.ts";
import { warnOfProblem } from "../node/load/report-problems.ts";
import { Agent } from "./agent.ts";
import { type AgentName, commandFor } from "./agent-command.ts";
import { AgentLink } from "./link/agent-link.ts";
import { AgentPool } from "./link/agent-pool.ts";
import { type AgentCommand, AgentProcess, type Environment } from "./link/agent-process.ts";
import type { AgentOptions } from "./options/agent-options.ts";
import { checkPolicy } from "./options/permissions.ts";

/** Options for `connectAgent`. */
export interface ConnectAgentOptions extends AgentOptions {
  /** Environment variables for an agent started by name or command; undefined removes a variable. */
  readonly env?: Environment;
  /** Closes the agent when the signal is aborted. */
  readonly signal?: AbortSignal;
}

/**
 * Connects to an agent over ACP: a known agent by name, a command to start, an agent in this process, or a stream to an
 * agent that runs elsewhere.
 *
 * @example
 * ```ts
 * import { connectAgent } from "skillset/acp";
 *
 * await using agent = await connectAgent({ command: "my-agent", args: ["--acp"] }, { cwd: "./project" });
 * const answer = await agent.think().text("Which license does this project use?").run();
 * console.log(answer);
 * ```
 */
export async function connectAgent(
  target: AgentName | AgentCommand | AgentApp | Stream,
  { signal, env, ...options }: ConnectAgentOptions = {},
): Promise<Agent> {
  signal?.throwIfAborted();
  if (options.permissions !== undefined) checkPolicy(options.permissions);
  checkTarget(target);
  const { startTimeout: timeout = DEFAULTS.startTimeout } = options;
  const command = commandOf(target, env);
  const start = async (until: AbortSignal | undefined): Promise<AgentLink> => {
    const reached = command === undefined ? (target as AgentApp | Stream) : await AgentProcess.start(command);
    return AgentLink.connect(reached, { timeout, signal: until });
  };
  const scriptHost = await hostFor(options.scripts);
  const pool = new AgentPool(await start(signal), command && start);
  const agent = new Agent(pool, { ...options, scriptHost });
  signal?.addEventListener("abort", () => void agent.close(signal.reason), { once: true, signal: pool.closed });
  return agent;
}

/** Loaded when it is used: most programs run no scripts. With `auto`, a warning reports that nothing can run them. */
async function hostFor(options: ScriptOptions | undefined): Promise<ScriptHost | undefined> {
  if (options === undefined) return undefined;
  const { host, problems } = await (await import("../scripts/open-scripts.ts")).openScripts(options);
  for (const problem of problems) warnOfProblem(problem);
  return host;
}

/** Returns the command to start the agent; undefined if it is already running. */
function commandOf(target: AgentName | AgentCommand | AgentApp | Stream, env?: Environment): AgentCommand | undefined {
  if (typeof target === "string") return commandFor(target, env);
  if ("command" in target)
    return env === undefined ? target : { ...target, env: { ...(target.env ?? process.env), ...env } };
  if (env === undefined) return undefined;
  throw new SkillError(
    "option-invalid",
    "'env' applies only to agents started by this library; this agent is already running.",
  );
}

function checkTarget(target: unknown): void {
  if (typeof target === "string") return;
  const given = typeof target === "object" && target !== null ? target : {};
  const isCommand = "command" in given && typeof given.command === "string" && given.command !== "";
  if (isCommand || "connect" in given || ("readable" in given && "writable" in given)) return;
  const message = "The agent must be a known name, { command, args }, an agent in this process, or a stream.";
  throw new SkillError("option-invalid", message);
}
