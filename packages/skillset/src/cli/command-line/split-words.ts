import { UsageError } from "./usage-error.ts";

/**
 * The words of a command line, for a program that is started without a shell. Quotes group words. A backslash escapes a
 * space, a quote or a backslash; before any other character it is literal, as in `C:\tools`.
 */
export function splitWords(option: string, line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    const next = line.charAt(at + 1);
    if (character === "\\" && ESCAPABLE[quote]?.test(next)) {
      word = (word ?? "") + next;
      at++;
    } else if (quote === "" ? /['"]/.test(character) : character === quote) {
      quote = quote === "" ? character : "";
      word ??= "";
    } else if (quote === "" && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (quote !== "") throw new UsageError(`'--${option}' has an unclosed quote.`);
  return word === undefined ? words : [...words, word];
}

/** The characters that a backslash escapes, by the quote around them; within single quotes there are none. */
const ESCAPABLE: Readonly<Record<string, RegExp>> = { "": /[\s'"\\]/, '"': /["\\]/ };
