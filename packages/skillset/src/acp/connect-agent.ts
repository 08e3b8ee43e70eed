import type { AgentApp, Stream } from "@agentclientprotocol/sdk";
import { SkillError } from "../core/base/errors.ts";
import { DEFAULTS } from "../core/base/limits.ts";
import type { ScriptHost } from "../core/host/script-host.ts";
import { warnOfProblem } from "../core/load/report-problems.ts";
import type { ScriptOptions } from "../core/script/script-options.ts";
import { checkOptions, type OptionTable } from "../core/text/check-options.ts";
import { Agent } from "./agent.ts";
import { commandFor, commandWith, type StartAgentOptions, startsWithModel } from "./agent-command.ts";
import { type AgentTarget, chooseTarget } from "./agent-target.ts";
import { AgentLink } from "./link/agent-link.ts";
import { AgentPool } from "./link/agent-pool.ts";
import { type AgentCommand, AgentProcess } from "./link/agent-process.ts";
import { traceTo } from "./link/trace-messages.ts";
import type { AgentOptions } from "./options/agent-options.ts";
import { checkPolicy } from "./options/permissions.ts";
import { checkAccounting } from "./options/skill-accounting.ts";

/** Options for `connectAgent`. */
export interface ConnectAgentOptions extends AgentOptions, StartAgentOptions {
  /**
   * A file to which every message of the protocol is appended, as JSON lines with time and direction. Secrets are left
   * out as far as they can be recognized; prompts and answers are not.
   * @default process.env.SKILLSET_TRACE
   */
  readonly trace?: string;
  /** Closes the agent when the signal is aborted. */
  readonly signal?: AbortSignal;
}

/**
 * Connects to an agent over ACP: a known agent by name, a command to start, an agent in this process, or a stream to an
 * agent that runs elsewhere. The environment variable `SKILLSET_AGENT` replaces a name, and is used without a target.
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
export async function connectAgent(target?: AgentTarget, options: ConnectAgentOptions = {}): Promise<Agent> {
  checkOptions("connectAgent()", options, CONNECT_OPTIONS);
  options.signal?.throwIfAborted();
  return connectTarget(chooseTarget(target, process.env), options);
}

/** Connects to exactly this agent, whatever the environment says. */
export async function connectTarget(target: AgentTarget, given: ConnectAgentOptions): Promise<Agent> {
  const { signal, env, inheritEnv, model, trace = process.env.SKILLSET_TRACE, ...options } = given;
  signal?.throwIfAborted();
  if (options.permissions !== undefined) checkPolicy(options.permissions);
  checkAccounting(options);
  const { startTimeout: timeout = DEFAULTS.startTimeout } = options;
  const command = commandOf(target, given);
  const start = async (until: AbortSignal | undefined): Promise<AgentLink> => {
    const reached = command === undefined ? (target as AgentApp | Stream) : await AgentProcess.start(command);
    // An empty variable counts as unset.
    const traced = trace ? traceTo(trace, process.env, command?.env ?? {}) : undefined;
    return AgentLink.connect(reached, { timeout, signal: until, trace: traced });
  };
  const scriptHost = await hostFor(options.scripts);
  const pool = new AgentPool(await start(signal), command && start);
  const asked = model === undefined ? undefined : { name: model, isStarted: startsWithModel(target) };
  const agent = new Agent(pool, { ...options, scriptHost, model: asked });
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
function commandOf(target: AgentTarget, options: StartAgentOptions): AgentCommand | undefined {
  if (typeof target === "string") return commandFor(target, options);
  if ("command" in target) return commandWith(target, options);
  const useless = (["env", "inheritEnv"] as const).find((option) => options[option] !== undefined);
  if (useless === undefined) return undefined;
  throw new SkillError(
    "option-invalid",
    `'${useless}' applies only to agents started by this library; this agent is already running.`,
  );
}

export const CONNECT_OPTIONS: OptionTable<ConnectAgentOptions> = {
  env: true,
  inheritEnv: true,
  model: true,
  trace: true,
  signal: true,
  cwd: true,
  permissions: true,
  scripts: true,
  allowedTools: true,
  toolNames: true,
  bridge: true,
  bridgeTimeout: true,
  startTimeout: true,
  cancelTimeout: true,
  inject: true,
  operations: true,
  catalog: true,
  telemetry: true,
  budget: true,
  suggest: true,
};
