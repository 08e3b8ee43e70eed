import { type ParseArgsConfig, parseArgs } from "node:util";
import { nearestWord } from "../../core/text/nearest-word.ts";
import { type CommandInput, GLOBAL_OPTIONS, type OptionSpecs } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** Parses a command's arguments. Throws a `UsageError` if they are wrong. */
export function parseCommandLine<Specs extends OptionSpecs>(
  name: string,
  options: Specs,
  args: readonly string[],
): CommandInput<Specs> {
  const filled = fillBare(name, args, options);
  try {
    return parseArgs({ args: filled, options: parsed(options), allowPositionals: true }) as CommandInput<Specs>;
  } catch (error) {
    throw new UsageError(explain(error as NodeJS.ErrnoException, name, options));
  }
}

/** The part of the options that the parser needs: it must not fill in the defaults that the help shows. */
function parsed(options: OptionSpecs): NonNullable<ParseArgsConfig["options"]> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  );
}

/** Inserts the values of options that are given without one. A word that follows must be a number or another option. */
function fillBare(name: string, args: readonly string[], options: OptionSpecs): string[] {
  const end = args.indexOf("--");
  return args.flatMap((argument, index) => {
    const whenBare = options[argument.replace(/^--/, "")]?.whenBare;
    if (whenBare === undefined || !argument.startsWith("--") || (end !== -1 && index > end)) return [argument];
    const next = args[index + 1] ?? "-";
    if (/^\d+$/.test(next)) return [argument];
    if (!next.startsWith("-"))
      throw new UsageError(
        `'${argument}' takes a number, not '${next}'. If '${next}' is a path, write it first: 'skillset ${name} ${next} ${argument}'.`,
      );
    return [`${argument}=${whenBare}`];
  });
}

/** The whole number in an option; undefined if the option was not given. */
export function wholeNumber(option: string, text: string | undefined, least = 0): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least))
    throw new UsageError(`'--${option}' needs a whole number of at least ${least}, not '${text}'.`);
  return number;
}

/** The value of an option that accepts certain words only; undefined if the option was not given. */
export function oneOf<Word extends string>(
  option: string,
  text: Word | string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (text === undefined) return undefined;
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  // A longer name such as `claude-code` differs in too many letters to be the nearest word.
  const near = nearestWord(text, words) ?? words.find((word) => text.startsWith(`${word}-`));
  const hint = near === undefined ? "" : `; did you mean '${near}'?`;
  throw new UsageError(`'--${option}' takes ${anyOf(words)}, not '${text}'${hint || "."}`);
}

/** `a, b or c` */
export function anyOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function explain({ code, message }: NodeJS.ErrnoException, name: string, options: OptionSpecs): string {
  const option = /'(?:-\w, )?(--?[^\s'=]+)/.exec(message)?.[1] ?? "";
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const near = nearestWord(option.replace(/^-+/, ""), Object.keys({ ...options, ...GLOBAL_OPTIONS }));
    const hint = near === undefined ? `; see 'skillset ${name} --help'.` : `; did you mean '--${near}'?`;
    return `'skillset ${name}' has no option '${option}'${hint}`;
  }
  const spec = options[option.replace(/^-+/, "")];
  return spec?.type === "boolean"
    ? `'${option}' takes no value.`
    : `'${option}' needs a value${spec?.value ? ` (${spec.value})` : ""}.`;
}
