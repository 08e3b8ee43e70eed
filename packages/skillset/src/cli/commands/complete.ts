import { isScriptPath } from "../../core/script/is-script.ts";
import type { Skillset } from "../../core/skillset.ts";
import {
  type ArgumentSpec,
  type Command,
  type Completes,
  GLOBAL_OPTIONS,
  type OptionSpecs,
  TOP_OPTIONS,
} from "../command-line/command.ts";
import { isPathLike } from "../command-line/found-skill.ts";
import { loadSkills } from "../command-line/load.ts";
import { TOPICS } from "../command-line/topics.ts";
import type { Io } from "../terminal/io.ts";
import { clip, printable } from "../terminal/printable.ts";
import { writeLine } from "../terminal/write.ts";
import { COMMANDS, lookUp } from "./all.ts";
import { type Typed, takeApart } from "./completion/typed-line.ts";

interface Candidate {
  readonly value: string;
  readonly about: string;
}

interface Completion {
  readonly candidates: readonly Candidate[];
  /** The paths that the shell adds. */
  readonly paths: "files" | "folders" | "none";
}

/** Prints what can replace the last word of a command line, in the format of the completion scripts. */
export async function printCandidates(words: readonly string[], io: Io): Promise<number> {
  const { candidates, paths } = await complete(words, io);
  const lines = candidates.map(({ value, about }) => `${value}\t${clip(printable(about), WIDEST_ABOUT)}`);
  await writeLine(io.stdout, ...lines, `:${paths}`);
  return 0;
}

const WIDEST_ABOUT = 72;

async function complete(words: readonly string[], io: Io): Promise<Completion> {
  const [first = "", ...rest] = words;
  if (rest.length === 0) return only(first, first.startsWith("-") ? options(TOP_OPTIONS) : commands());
  const command = await lookUp(first)?.[1].load();
  if (command === undefined) return NOTHING;
  const specs = { ...command.options, ...GLOBAL_OPTIONS };
  const typed = takeApart(rest, specs);
  const { current, option, used, isAfterDashes } = typed;
  if (option !== undefined) {
    const { prefix, text } = option;
    const { candidates, paths } = await valuesOf(option.spec, text, command, typed, io);
    return { candidates: candidates.map(({ value, about }) => ({ value: prefix + value, about })), paths };
  }
  const argument = argumentAt(command, typed.positionals.length);
  if (current.startsWith("-") && !isAfterDashes) return only(current, options(specs, used));
  if (argument === undefined) return isAfterDashes ? FILES : only(current, options(specs, used));
  return valuesOf(argument, current, command, typed, io);
}

const NOTHING: Completion = { candidates: [], paths: "none" };
const FILES: Completion = { candidates: [], paths: "files" };

function only(text: string, candidates: readonly Candidate[]): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(text)), paths: "none" };
}

function commands(): readonly Candidate[] {
  return Object.entries(COMMANDS).flatMap(([name, { aliases = [], summary }]) =>
    [name, ...aliases].map((value) => ({ value, about: summary })),
  );
}

/** The options that can still be given. */
function options(specs: OptionSpecs, used: ReadonlySet<string> = new Set()): readonly Candidate[] {
  return Object.entries(specs)
    .filter(([name, { multiple }]) => multiple || !used.has(name))
    .map(([name, { about }]) => ({ value: `--${name}`, about }));
}

function argumentAt({ arguments: args }: Command, index: number): ArgumentSpec | undefined {
  return args[index] ?? (args.at(-1)?.multiple ? args.at(-1) : undefined);
}

async function valuesOf(
  { choices, completes }: { readonly choices?: readonly string[]; readonly completes?: Completes },
  text: string,
  command: Command,
  typed: Typed,
  io: Io,
): Promise<Completion> {
  if (choices !== undefined)
    return only(
      text,
      choices.map((value) => ({ value, about: "" })),
    );
  switch (completes) {
    case "files":
    case "folders":
      return { candidates: [], paths: completes };
    case "commands":
      return only(text, [
        ...commands(),
        ...Object.entries(TOPICS).map(([value, { summary }]) => ({ value, about: summary })),
      ]);
    case "skills":
      return only(text, await skillNames(command, typed, io));
    case "skill-or-folder":
      return { ...only(text, isPathLike(text) ? [] : await skillNames(command, typed, io)), paths: "folders" };
    case "skill-files":
      return only(text, await skillFiles(command, typed, io));
    case "skill-scripts":
      return only(
        text,
        (await skillFiles(command, typed, io)).filter(({ value }) => isScriptPath(value)),
      );
    default:
      return NOTHING;
  }
}

async function skillNames(command: Command, typed: Typed, io: Io): Promise<readonly Candidate[]> {
  const { skills = [] } = (await load(command, typed, io)) ?? {};
  return skills.map(({ name, description }) => ({ value: name, about: description })).filter(isPlain);
}

async function skillFiles(command: Command, typed: Typed, io: Io): Promise<readonly Candidate[]> {
  const index = command.arguments.findIndex(({ completes }) => completes?.startsWith("skill") === true);
  const given = typed.positionals[index] ?? "";
  const skill = isPathLike(given)
    ? (await loadSkills([given], {}, io).catch(() => undefined))?.skills[0]
    : (await load(command, typed, io))?.get(given);
  const files = (await skill?.files.list(undefined, { signal: io.signal })) ?? [];
  return files
    .filter(({ kind }) => kind === "file")
    .map(({ path }) => ({ value: path, about: "" }))
    .filter(isPlain);
}

/** The skills at the paths that are already typed, or else in the standard folders; none when loading fails. */
async function load(command: Command, { positionals, used }: Typed, io: Io): Promise<Skillset | undefined> {
  const paths = positionals.filter((_, index) => argumentAt(command, index)?.name === "PATH");
  const recursive = used.has("recursive");
  return loadSkills(paths, { recursive, bundled: used.has("bundled") }, io).catch(() => undefined);
}

/** Names come from files of others, and a shell inserts them as they are: only harmless characters pass. */
function isPlain({ value }: Candidate): boolean {
  return /^[\w][\w./-]*$/.test(value);
}
