import type { AgentApp, Stream } from "@agentclientprotocol/sdk";
import { SkillError } from "../core/base/errors.ts";
import { DEFAULTS } from "../core/base/limits.ts";
import { Agent } from "./agent.ts";
import { type AgentName, commandFor } from "./known-agents.ts";
import { AgentLink } from "./link/agent-link.ts";
import { AgentPool } from "./link/agent-pool.ts";
import { type AgentCommand, AgentProcess, type Environment } from "./link/agent-process.ts";
import type { AgentOptions } from "./plan/agent-options.ts";
import { checkPolicy } from "./plan/permissions.ts";

export interface ConnectAgentOptions extends AgentOptions {
  /** Variables to set in the environment of an agent that is started; undefined removes one. */
  readonly env?: Environment;
  /** Closes the agent when it is aborted. */
  readonly signal?: AbortSignal;
}

/**
 * Connects to an agent over ACP: one of those known by name, a program that is started for it, an agent in this process,
 * or the stream of one that runs elsewhere.
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
  const pool = new AgentPool(await start(signal), command && start);
  const agent = new Agent(pool, options);
  signal?.addEventListener("abort", () => void agent.close(signal.reason), { once: true, signal: pool.closed });
  return agent;
}

/** How to start the agent; undefined when it runs already. */
function commandOf(target: AgentName | AgentCommand | AgentApp | Stream, env?: Environment): AgentCommand | undefined {
  if (typeof target === "string") return commandFor(target, env);
  if ("command" in target)
    return env === undefined ? target : { ...target, env: { ...(target.env ?? process.env), ...env } };
  if (env === undefined) return undefined;
  throw new SkillError("option-invalid", "'env' is for agents that are started here; this one runs already.");
}

function checkTarget(target: unknown): void {
  if (typeof target === "string") return;
  const given = typeof target === "object" && target !== null ? target : {};
  const isCommand = "command" in given && typeof given.command === "string" && given.command !== "";
  if (isCommand || "connect" in given || ("readable" in given && "writable" in given)) return;
  const message = "An agent is a known name, { command, args }, an agent in this process, or a stream to one.";
  throw new SkillError("option-invalid", message);
}
