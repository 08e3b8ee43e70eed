import { parseArgs } from "node:util";
import { nearestWord } from "../../core/text/nearest-word.ts";
import type { CommandInput, OptionSpecs } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** Takes a command's arguments apart; whatever is wrong with them becomes one sentence. */
export function parseCommandLine<Specs extends OptionSpecs>(
  name: string,
  options: Specs,
  args: readonly string[],
): CommandInput<Specs> {
  try {
    return parseArgs({ args: fillBare(args, options), options, allowPositionals: true }) as CommandInput<Specs>;
  } catch (error) {
    throw new UsageError(explain(error as NodeJS.ErrnoException, name, options));
  }
}

/** Writes out the values of options that may stand without one. */
function fillBare(args: readonly string[], options: OptionSpecs): string[] {
  const end = args.indexOf("--");
  return args.flatMap((argument, index) => {
    const whenBare = options[argument.replace(/^--/, "")]?.whenBare;
    const isBare = whenBare !== undefined && argument.startsWith("--") && (end === -1 || index < end);
    return isBare && !/^\d+$/.test(args[index + 1] ?? "") ? [`${argument}=${whenBare}`] : [argument];
  });
}

/** A whole number of at least `least`, or nothing when the option was not given. */
export function wholeNumber(option: string, text: string | undefined, least = 0): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least))
    throw new UsageError(`'--${option}' needs a whole number of at least ${least}, not '${text}'.`);
  return number;
}

/** One of the words that an option takes. */
export function oneOf<Word extends string>(
  option: string,
  text: Word | string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (text === undefined) return undefined;
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  // A longer name of the same thing differs in too many letters: `claude-code`.
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
    const near = nearestWord(option.replace(/^-+/, ""), [...Object.keys(options), "help"]);
    const hint = near === undefined ? `; see 'skillset ${name} --help'.` : `; did you mean '--${near}'?`;
    return `'skillset ${name}' has no option '${option}'${hint}`;
  }
  const spec = options[option.replace(/^-+/, "")];
  return spec?.type === "boolean"
    ? `'${option}' takes no value.`
    : `'${option}' needs a value${spec?.value ? ` (${spec.value})` : ""}.`;
}
