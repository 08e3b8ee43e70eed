import { parseArgs } from "node:util";
import { StartError } from "./config/start-error.ts";

/** What the command line asks for. */
export type Command =
  | { readonly kind: "print"; readonly what: "help" | "version" | "settings" }
  | {
      readonly kind: "start";
      readonly config?: string | undefined;
      readonly host?: string | undefined;
      /** The environment variables that flags replace. */
      readonly environment: Readonly<Record<string, string>>;
    };

export const HELP = `Starts a chat in the browser that uses the Agent Skills of this folder. Needs no API key.

Usage
  npx @skillset/chat [options]

Options
  --port PORT     the port, or 0 for any free port (default: 4173)
  --host HOST     the address to listen on (default: 127.0.0.1, this machine only)
  --config FILE   the settings (default: those of --print-config; no file is used unless you name it)
  --data DIR      where chats are stored (default: .skillset/chat in this folder)
  --print-config  print a settings file with every setting, its default and its meaning
  -h, --help      show this help
  --version       print the version

Skills are loaded from ~/.agents/skills, ~/.claude/skills, ~/.agent/skills and ~/.skillset/skills in your home, and from
.agents/skills, .claude/skills, .agent/skills, skills and .skills in this folder and its parents up to the git root.
Those of a project are locked until 'npx skillset trust' trusts them.
OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY in the environment adds the models of that provider.
`;

/** Parses the command line. Throws a `StartError` for unknown options and bad values. */
export function parseCommandLine(given: readonly string[]): Command {
  const { help, version, port, host, config, data, "print-config": printConfig } = parseOptions(given);
  if (help) return { kind: "print", what: "help" };
  if (version) return { kind: "print", what: "version" };
  if (printConfig) return { kind: "print", what: "settings" };
  for (const [name, value] of Object.entries({ host, config, data })) {
    if (value === "") throw wrongUsage(`--${name} needs a value.`);
  }
  if (port !== undefined && !(/^\d+$/.test(port) && Number(port) <= 65_535)) {
    throw wrongUsage(`--port must be an integer from 0 to 65535, not '${port}'.`);
  }
  const environment = { ...(port !== undefined && { PORT: port }), ...(data !== undefined && { DATA_DIR: data }) };
  return { kind: "start", config, host, environment };
}

function parseOptions(given: readonly string[]) {
  try {
    return parseArgs({
      args: [...given],
      options: {
        help: { type: "boolean", short: "h" },
        version: { type: "boolean" },
        "print-config": { type: "boolean" },
        port: { type: "string" },
        host: { type: "string" },
        config: { type: "string" },
        data: { type: "string" },
      },
    }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node adds advice on positional arguments, which the chat does not have.
    const [sentence = ""] = error.message.split(/\. |\n/);
    throw wrongUsage(`${sentence.replace(/\.$/, "")}.`);
  }
}

function wrongUsage(sentence: string): StartError {
  return new StartError(`${sentence} Run 'npx @skillset/chat --help' for the options.`);
}
