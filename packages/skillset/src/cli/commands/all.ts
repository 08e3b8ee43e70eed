import { nearestWord } from "../../core/text/nearest-word.ts";
import { type Command, TOP_OPTIONS } from "../command-line/command.ts";
import { UsageError } from "../command-line/usage-error.ts";

export interface CommandEntry {
  /** The heading in the help. */
  readonly group: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  load(): Promise<Command>;
}

/** All commands, in the order of the help. Each is loaded when it runs, so that help and version start fast. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  list: {
    group: "Find skills",
    aliases: ["ls"],
    summary: "list skills and their status",
    load: async () => (await import("./list/list.ts")).list,
  },
  search: {
    group: "Find skills",
    summary: "find skills for a task",
    load: async () => (await import("./search/search.ts")).search,
  },
  prompt: {
    group: "Find skills",
    summary: "print the catalog that a model sees",
    load: async () => (await import("./prompt.ts")).prompt,
  },
  show: {
    group: "Find skills",
    summary: "print a skill's instructions or files as a model gets them",
    load: async () => (await import("./show/show.ts")).show,
  },
  try: {
    group: "Find skills",
    summary: "use skills in the role of the model, or replay a session",
    load: async () => (await import("./try/try.ts")).tryOut,
  },
  run: {
    group: "Find skills",
    summary: "run one of a skill's scripts in a sandbox",
    load: async () => (await import("./run/run.ts")).run,
  },
  new: {
    group: "Write skills",
    aliases: ["create"],
    summary: "create a skill from a template",
    load: async () => (await import("./new.ts")).newSkill,
  },
  validate: {
    group: "Write skills",
    aliases: ["check"],
    summary: "check skills against the standard",
    load: async () => (await import("./validate/validate.ts")).validate,
  },
  doctor: {
    group: "Write skills",
    summary: "find out why a skill is missing, and fix what is safe",
    load: async () => (await import("./doctor/doctor.ts")).doctor,
  },
  install: {
    group: "Work with agents",
    summary: "copy skills to the folder where an agent looks for them",
    load: async () => (await import("./install/install.ts")).install,
  },
  exec: {
    group: "Work with agents",
    summary: "run an agent with skills in a temporary home",
    load: async () => (await import("./install/exec.ts")).exec,
  },
  serve: {
    group: "Work with agents",
    summary: "serve skills to any MCP client",
    load: async () => (await import("./serve/serve.ts")).serve,
  },
  think: {
    group: "Work with agents",
    summary: "ask an agent for text, or for a result that matches a schema",
    load: async () => (await import("./think/think.ts")).think,
  },
  acp: {
    group: "Work with agents",
    summary: "run an ACP agent behind an editor, and add skills to it",
    load: async () => (await import("./acp/acp.ts")).acp,
  },
  trust: {
    group: "Work with agents",
    summary: "unlock the skills of a project in their current state",
    load: async () => (await import("./trust.ts")).trust,
  },
  tour: {
    group: "More",
    summary: "show what skillset does, step by step",
    load: async () => (await import("./tour.ts")).tour,
  },
  completion: {
    group: "More",
    summary: "print a completion script for bash, zsh or fish",
    load: async () => (await import("./completion/completion.ts")).completion,
  },
  help: {
    group: "More",
    summary: "show help for a command or a topic",
    load: async () => (await import("./help.ts")).help,
  },
};

/** A command by its name or an alias. */
export function lookUp(name: string): readonly [name: string, entry: CommandEntry] | undefined {
  return Object.entries(COMMANDS).find(([key, { aliases = [] }]) => key === name || aliases.includes(name));
}

/** A command by its name or an alias; throws with the nearest name when there is none. */
export function findCommand(name: string, others: readonly string[] = []): readonly [string, CommandEntry] {
  const found = lookUp(name);
  if (found !== undefined) return found;
  const [what, known] = name.startsWith("-")
    ? ["option", Object.keys(TOP_OPTIONS).map((option) => `--${option}`)]
    : ["command", [...Object.entries(COMMANDS).flatMap(([key, { aliases = [] }]) => [key, ...aliases]), ...others]];
  const near = nearestWord(name, known);
  throw new UsageError(
    `skillset has no ${what} '${name}'; ${near === undefined ? "see 'skillset --help'." : `did you mean '${near}'?`}`,
  );
}
