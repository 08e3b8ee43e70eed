import { basename, extname } from "node:path";
import { commandFor } from "../../../acp/agent-command.ts";
import { withoutAgentVariable } from "../../../acp/agent-environment.ts";
import { AGENT_VARIABLE, targetIn, unknownAgent } from "../../../acp/agent-target.ts";
import type { AgentCommand } from "../../../acp/index.ts";
import { isOnPath } from "../../../acp/link/is-on-path.ts";
import { agentNamesWith, agentsWith } from "../../../agents/find-agent.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import type { Io } from "../../terminal/io.ts";

/** Throws if neither the command line nor the environment names an agent. */
export function checkAgent(words: readonly string[], env: Io["env"]): void {
  if (words.length > 0 || env[AGENT_VARIABLE]?.trim()) return;
  const names = agentNamesWith("acp").join(", ");
  throw new UsageError(
    `'skillset acp' needs an agent: a name (${names}), or ${COMMAND}. Without both, set ${AGENT_VARIABLE}.`,
  );
}

/** The command that the words name: a known agent, or a program and its arguments. Without words, the environment does. */
export function toAgentCommand(words: readonly string[], { cwd, env: given }: Io): AgentCommand {
  const [program = "", ...args] = words.length > 0 ? words : wordsIn(given);
  const env = withoutAgentVariable(given);
  const known = agentNamesWith("acp").find((name) => name === program);
  if (known !== undefined && args.length === 0) return { ...commandFor(known, { env }), cwd };
  if (args.length === 0 && !/[/\\]/.test(program) && !isOnPath(program, env.PATH ?? env.Path))
    throw unknownAgent(program, (names) => `Use one of ${names}, or ${COMMAND}.`);
  return { command: program, args, cwd, env: { ...defaultsOf(program, args), ...env } };
}

const COMMAND = "a command as in 'skillset acp -- my-agent --acp'";

function wordsIn(env: Io["env"]): readonly string[] {
  const target = targetIn(env);
  if (target === undefined || typeof target === "string") return target === undefined ? [] : [target];
  return [target.command, ...(target.args ?? [])];
}

/** The variables that a known agent needs, if the command starts one, also with npx or from its folder. */
function defaultsOf(program: string, args: readonly string[]): Readonly<Record<string, string>> {
  const isOf = (name: string): boolean => [program, ...args].some((word) => namesPackage(word, name));
  const found = agentsWith("acp").find(
    ({ acp: { command, packages } }) => basename(program, extname(program)) === command || packages.some(isOf),
  );
  return found?.acp.env ?? {};
}

/** Whether a word is a package, such as `pi-acp@1.0.0`, or a file in it. */
function namesPackage(word: string, name: string): boolean {
  return word === name || word.startsWith(`${name}@`) || word.replaceAll("\\", "/").includes(`/node_modules/${name}/`);
}
