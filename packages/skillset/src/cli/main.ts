import { SkillError } from "../core/base/errors.ts";
import { VERSION } from "../core/base/version.ts";
import { parseCommandLine } from "./command-line/parse-command-line.ts";
import { UsageError } from "./command-line/usage-error.ts";
import { findCommand } from "./commands/all.ts";
import { type Io, processIo } from "./terminal/io.ts";
import { createPaint, withoutColour } from "./terminal/paint.ts";
import { writeLine } from "./terminal/write.ts";

/** Runs one command line and returns its exit code, one of `EXIT_CODES`. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  const { words, isPlain } = takeNoColor(argv);
  const outer = isPlain ? withoutColour(io) : io;
  try {
    return await dispatch(words, outer);
  } catch (error) {
    return report(error, outer);
  }
}

/** Takes `--no-color` out of a command line, up to `--`. */
function takeNoColor(argv: readonly string[]): { words: readonly string[]; isPlain: boolean } {
  // After this name, the words are an unfinished command line, not options of this program.
  if (argv[0] === COMPLETE) return { words: argv, isPlain: false };
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const words = argv.filter((word, index) => word !== "--no-color" || index > end);
  return { words, isPlain: words.length < argv.length };
}

/** The completion scripts call this. It is not a command for people, so the help does not list it. */
const COMPLETE = "__complete";

async function dispatch([first, ...rest]: readonly string[], io: Io): Promise<number> {
  if (first === COMPLETE) return (await import("./commands/complete.ts")).printCandidates(rest, io);
  if (first === "--version" || first === "-v") return version(io);
  if (first === undefined || HELP.has(first)) return help([], io);
  const [name, entry] = findCommand(first);
  const end = rest.indexOf("--");
  if (rest.slice(0, end === -1 ? rest.length : end).some((argument) => HELP.has(argument))) return help([name], io);
  const command = await entry.load();
  return command.run(parseCommandLine(name, command.options, rest), io);
}

const HELP: ReadonlySet<string> = new Set(["--help", "-h"]);

async function help(positionals: readonly string[], io: Io): Promise<number> {
  const command = await import("./commands/help.ts");
  return command.help.run({ values: {}, positionals }, io);
}

async function version(io: Io): Promise<number> {
  await writeLine(io.stdout, VERSION);
  return 0;
}

/** Expected errors are one sentence. Only a bug in skillset shows its stack. */
async function report(error: unknown, io: Io): Promise<number> {
  if (io.signal.aborted) return 130;
  const { code, syscall, message, stack } = error as NodeJS.ErrnoException;
  // The reader of the output has closed it, as in `skillset list | head`.
  if (code === "EPIPE") return 0;
  const isExpected = error instanceof UsageError || error instanceof SkillError || syscall !== undefined;
  const { printable } = await import("./terminal/printable.ts");
  const text = isExpected ? printable(message) : (stack ?? String(error));
  await writeLine(io.stderr, createPaint(io.stderr, io.env)("red", text)).catch(() => {});
  return error instanceof UsageError || code === "config-invalid" ? 2 : 1;
}
