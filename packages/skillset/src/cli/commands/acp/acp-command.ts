import { basename, extname } from "node:path";
import { commandFor } from "../../../acp/agent-command.ts";
import type { AgentCommand } from "../../../acp/index.ts";
import { agentNamesWith, agentsWith } from "../../../agents/find-agent.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import type { Io } from "../../terminal/io.ts";

/** A program or a known agent, and arguments. */
export type AgentWords = readonly [program: string, ...args: string[]];

export function toWords([program, ...args]: readonly string[]): AgentWords {
  if (program !== undefined) return [program, ...args];
  const names = agentNamesWith("acp").join(", ");
  throw new UsageError(
    `'skillset acp' needs an agent: a name (${names}), or a command as in 'skillset acp -- my-agent --acp'.`,
  );
}

/** The command that the words name: a known agent, or a program and its arguments. */
export function toAgentCommand([program, ...args]: AgentWords, { cwd, env }: Io): AgentCommand {
  const known = agentNamesWith("acp").find((name) => name === program);
  if (known !== undefined && args.length === 0) return { ...commandFor(known, { env }), cwd };
  return { command: program, args, cwd, env: { ...defaultsOf(program, args), ...env } };
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
