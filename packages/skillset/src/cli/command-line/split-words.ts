import { splitShellWords } from "../../core/text/shell-words.ts";
import { UsageError } from "./usage-error.ts";

/** The words of a command line, for a program that is started without a shell. */
export function splitWords(option: string, line: string): readonly string[] {
  const { words, isUnclosed } = splitShellWords(line);
  if (isUnclosed) throw new UsageError(`'--${option}' has an unclosed quote.`);
  return words;
}
