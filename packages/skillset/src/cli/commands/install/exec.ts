import { isAbsolute, resolve } from "node:path";
import { agentNamesWith } from "../../../agents/find-agent.ts";
import type { HomeAgent } from "../../../node/install/agent-homes.ts";
import { resolvePath } from "../../../node/load/sources.ts";
import { agentOption } from "../../command-line/agent-option.ts";
import { defineCommand } from "../../command-line/command.ts";
import { PROFILE_OPTION, refuseDisabled } from "../../command-line/load.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import type { Io } from "../../terminal/io.ts";
import { runInHome } from "./run-in-home.ts";

const NAMES = agentNamesWith("home");

export const exec = defineCommand({
  usage: "--agent NAME [--skill PATH]… [options] -- COMMAND [ARGS…]",
  about:
    "Runs a program with a temporary home that contains the skills, in the folder where the agent looks for them.\n" +
    "The program gets PATH and the terminal's variables, and nothing else from your home or environment unless you " +
    "name it. The home is deleted when the program exits.",
  arguments: [
    { name: "COMMAND", about: "the program to run", required: true },
    { name: "ARGS", about: "its arguments", multiple: true, completes: "files" },
  ],
  options: {
    agent: { type: "string", value: "NAME", choices: NAMES, about: "the agent whose home is created" },
    "skills-folder": {
      type: "string",
      value: "DIR",
      about: "for any other agent: the folder in its home where it looks for skills",
    },
    skill: {
      type: "string",
      multiple: true,
      value: "PATH",
      completes: "files",
      about: "a skill to install: its folder, its SKILL.md, or a folder of skills",
    },
    ...PROFILE_OPTION,
    keep: {
      type: "string",
      multiple: true,
      value: "NAME[=DIR]",
      about: "a variable that names one of your folders, which the program keeps using: CODEX_HOME=~/.codex",
    },
    env: {
      type: "string",
      multiple: true,
      value: "NAME[=TEXT]",
      about: "a variable to set for the program; without a text, it keeps your value",
    },
  },
  examples: [
    [
      "skillset exec --agent codex --skill ./skills --keep CODEX_HOME=~/.codex -- codex",
      "these skills, with your sign-in",
    ],
    ['skillset exec --agent claude --skill ./pdf --env ANTHROPIC_API_KEY -- claude -p "Fill it in"', "in a script"],
    ["skillset exec --agent opencode --skill ./skills -- sh", "inspect the home"],
  ],
  exitCodes: { other: "the exit code of the program, or 128 + N if signal N ended it" },
  async run({ values, positionals }, io) {
    const [command, ...args] = positionals;
    if (command === undefined)
      throw new UsageError("'skillset exec' needs a command, as in 'skillset exec --agent codex -- codex'.");
    const home = {
      agent: toAgent(values),
      skills: (values.skill ?? []).map((path) => resolvePath(path, io.cwd)),
      keep: toKept(values.keep, io),
      env: { ...pick(TERMINAL, io), ...toEnv(values.env, io) },
    };
    await refuseDisabled(home.skills, values.profile, io);
    return runInHome(home, { command, args }, io);
  },
});

/** Variables that a program needs for terminal output. They contain no personal data. */
const TERMINAL = ["TERM", "COLORTERM", "NO_COLOR", "LANG", "LC_ALL", "LC_CTYPE", "TZ"];

function toAgent(values: { agent?: string; "skills-folder"?: string }): HomeAgent {
  const { agent, "skills-folder": skillsFolder } = values;
  const known = agentOption("agent", agent, "home");
  if (known !== undefined && skillsFolder === undefined) return known.name;
  if (known === undefined && skillsFolder !== undefined) return { skillsFolder };
  throw new UsageError(`'skillset exec' needs either '--agent NAME' (${NAMES.join(", ")}) or '--skills-folder DIR'.`);
}

function toKept(given: readonly string[] = [], { env, cwd }: Io): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [name, value] = split("keep", text);
      const folder = value ?? env[name];
      if (folder === undefined || folder === "")
        throw new UsageError(
          `'--keep ${name}' needs a folder, because the variable is not set. Write '--keep ${name}=DIR'.`,
        );
      return [name, isAbsolute(folder) ? folder : resolve(resolvePath(folder, cwd))];
    }),
  );
}

function toEnv(given: readonly string[] = [], { env }: Io): Record<string, string | undefined> {
  return Object.fromEntries(
    given.map((text) => {
      const [name, value] = split("env", text);
      return [name, value ?? env[name]];
    }),
  );
}

function split(option: string, text: string): readonly [name: string, value: string | undefined] {
  const found = /^([A-Za-z_][A-Za-z0-9_]*)(?:=([\s\S]*))?$/.exec(text);
  if (found?.[1] === undefined) throw new UsageError(`'--${option}' needs NAME or NAME=VALUE, not '${text}'.`);
  return [found[1], found[2]];
}

function pick(names: readonly string[], { env }: Io): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}
