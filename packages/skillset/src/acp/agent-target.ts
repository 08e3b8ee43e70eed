import type { AgentApp, Stream } from "@agentclientprotocol/sdk";
import { agentNamesWith, whyNot } from "../agents/find-agent.ts";
import { SkillError } from "../core/base/errors.ts";
import { splitShellWords } from "../core/text/shell-words.ts";
import type { AgentName } from "./agent-command.ts";
import type { AgentCommand } from "./link/agent-process.ts";
import { isOnPath } from "./link/is-on-path.ts";

/** A known agent, a command to start, an agent in this process, or a stream to an agent that runs elsewhere. */
export type AgentTarget = AgentName | AgentCommand | AgentApp | Stream;

/** The environment variable that selects the agent. */
export const AGENT_VARIABLE = "SKILLSET_AGENT";

/**
 * Returns the agent to connect to. The environment variable replaces a name, because a name is only a default. It never
 * replaces a command, an agent in this process or a stream.
 */
export function chooseTarget(target: AgentTarget | undefined, env: NodeJS.ProcessEnv): AgentTarget {
  checkTarget(target);
  if (target !== undefined && typeof target !== "string") return target;
  const chosen = targetIn(env) ?? target;
  if (chosen !== undefined) return chosen;
  const names = agentNamesWith("acp").join(", ");
  throw new SkillError(
    "agent-not-found",
    `No agent is selected. Pass one to connectAgent(), or set ${AGENT_VARIABLE} to a known agent (${names}) or to a command such as 'my-agent --acp'.`,
  );
}

/** Returns the agent that the environment variable names: a known agent, or a command line. Undefined if it is empty. */
export function targetIn(env: NodeJS.ProcessEnv): AgentName | AgentCommand | undefined {
  const given = env[AGENT_VARIABLE]?.trim() ?? "";
  if (given === "") return undefined;
  const known = agentNamesWith("acp").find((name) => name === given);
  if (known !== undefined) return known;
  const { words, isUnclosed } = splitShellWords(given);
  if (isUnclosed) throw new SkillError("option-invalid", `${AGENT_VARIABLE} has an unclosed quote: ${given}`);
  const [command = "", ...args] = words;
  if (args.length > 0 || /[/\\]/.test(command) || isOnPath(command, env.PATH ?? env.Path)) return { command, args };
  throw unknownAgent(given, (names) => `Set ${AGENT_VARIABLE} to one of ${names}, or to a command.`);
}

/** The error for a word that is no agent and no program. `fix` says what to do, with the known names. */
export function unknownAgent(given: string, fix: (names: string) => string): SkillError {
  const problem = whyNot("acp", given) ?? `'${given}' is neither a known agent nor a program on the PATH.`;
  return new SkillError("agent-not-found", `${problem} ${fix(agentNamesWith("acp").join(", "))}`);
}

function checkTarget(target: unknown): void {
  if (target === undefined || typeof target === "string") return;
  const given = typeof target === "object" && target !== null ? target : {};
  const isCommand = "command" in given && typeof given.command === "string" && given.command !== "";
  if (isCommand || "connect" in given || ("readable" in given && "writable" in given)) return;
  const message = "The agent must be a known name, { command, args }, an agent in this process, or a stream.";
  throw new SkillError("option-invalid", message);
}
