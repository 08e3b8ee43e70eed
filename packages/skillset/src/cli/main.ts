import { SkillError } from "../core/base/errors.ts";
import { VERSION } from "../core/base/version.ts";
import { nearestWord } from "../core/text/nearest-word.ts";
import type { Command } from "./command/command.ts";
import { helpFor, helpOverview } from "./command/help.ts";
import { parseCommandLine } from "./command/parse-command-line.ts";
import { UsageError } from "./command/usage-error.ts";
import { type Io, processIo } from "./terminal/io.ts";
import { createPaint } from "./terminal/paint.ts";
import { write, writeLine } from "./terminal/write.ts";

/** Runs one command line and gives its exit code: 0 done, 1 something is wrong, 2 wrong usage, 130 Ctrl-C. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    return report(error, io);
  }
}

/** A command is loaded when it is run, so that help and version cost nothing. */
const COMMANDS: Readonly<Record<string, { readonly summary: string; load(): Promise<Command> }>> = {
  list: {
    summary: "list skills, with what became of each",
    load: async () => (await import("./list/list.ts")).list,
  },
  validate: {
    summary: "check skills against the standard",
    load: async () => (await import("./validate/validate.ts")).validate,
  },
  prompt: {
    summary: "print the catalog exactly as a model would see it",
    load: async () => (await import("./commands/prompt.ts")).prompt,
  },
  show: {
    summary: "print what a model gets of a skill: its instructions, or a file",
    load: async () => (await import("./commands/show.ts")).show,
  },
  try: {
    summary: "play the model in a session, or replay one",
    load: async () => (await import("./try/try.ts")).tryOut,
  },
  serve: {
    summary: "serve skills over MCP, to any client",
    load: async () => (await import("./serve/serve.ts")).serve,
  },
  think: {
    summary: "ask an agent, with skills, for a text or for a result that fits a schema",
    load: async () => (await import("./think/think.ts")).think,
  },
  install: {
    summary: "copy skills to where an agent looks for them",
    load: async () => (await import("./install/install.ts")).install,
  },
  exec: {
    summary: "run a program with skills in a home of its own",
    load: async () => (await import("./install/exec.ts")).exec,
  },
  new: {
    summary: "write a skill to start from",
    load: async () => (await import("./commands/new.ts")).newSkill,
  },
  doctor: {
    summary: "say why skills are missing, locked or confused, and mend what is safe",
    load: async () => (await import("./doctor/doctor.ts")).doctor,
  },
  trust: {
    summary: "unlock a project's skills, as they are now",
    load: async () => (await import("./commands/trust.ts")).trust,
  },
  tour: {
    summary: "see what skillset does, step by step",
    load: async () => (await import("./commands/tour.ts")).tour,
  },
};

async function dispatch([first, ...rest]: readonly string[], io: Io): Promise<number> {
  if (first === undefined || HELP.has(first))
    return first === "help" && rest[0] !== undefined ? help(rest[0], io) : overview(io);
  if (first === "--version" || first === "-v") return version(io);
  const command = await findCommand(first).load();
  const end = rest.indexOf("--");
  if (rest.slice(0, end === -1 ? rest.length : end).some((argument) => argument === "--help" || argument === "-h"))
    return help(first, io);
  return command.run(parseCommandLine(first, command.options, rest), io);
}

const HELP: ReadonlySet<string> = new Set(["--help", "-h", "help"]);

function findCommand(name: string) {
  const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (found !== undefined) return found;
  const [what, known] = name.startsWith("-")
    ? ["option", ["--help", "--version"]]
    : ["command", [...Object.keys(COMMANDS), "help"]];
  const near = nearestWord(name, known);
  throw new UsageError(
    `skillset has no ${what} '${name}'; ${near === undefined ? "see 'skillset --help'." : `did you mean '${near}'?`}`,
  );
}

async function overview(io: Io): Promise<number> {
  await write(io.stdout, [helpOverview(COMMANDS, createPaint(io.stdout, io.env))]);
  return 0;
}

async function help(name: string, io: Io): Promise<number> {
  const command = await findCommand(name).load();
  await write(io.stdout, [helpFor(name, command, createPaint(io.stdout, io.env))]);
  return 0;
}

async function version(io: Io): Promise<number> {
  await writeLine(io.stdout, VERSION);
  return 0;
}

/** What a person can act on is one sentence; only a fault of ours shows its stack. */
async function report(error: unknown, io: Io): Promise<number> {
  if (io.signal.aborted) return 130;
  const { code, syscall, message, stack } = error as NodeJS.ErrnoException;
  // Whoever read the output has seen enough, as in `skillset list | head`.
  if (code === "EPIPE") return 0;
  const isExpected = error instanceof UsageError || error instanceof SkillError || syscall !== undefined;
  const { printable } = await import("./terminal/printable.ts");
  const text = isExpected ? printable(message) : (stack ?? String(error));
  await writeLine(io.stderr, createPaint(io.stderr, io.env)("red", text)).catch(() => {});
  return error instanceof UsageError || code === "config-invalid" ? 2 : 1;
}
