export interface ShellWords {
  readonly words: readonly string[];
  /** Whether a quote has no end. It is then part of its word. */
  readonly isUnclosed: boolean;
}

/**
 * Splits a line into words like a shell, but expands and executes nothing. Quotes group words. A backslash escapes a
 * space, a quote or a backslash; before any other character it is literal, as in `C:\tools`.
 */
export function splitShellWords(line: string): ShellWords {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  /** Where the open quote is, and the word before it. */
  let opened = { at: 0, word };
  /** The last quote is literal if nothing closes it. */
  let literal = -1;
  for (let at = 0; at <= line.length; at++) {
    if (at === line.length) {
      if (quote === "") break;
      literal = opened.at;
      ({ at, word } = opened);
      quote = "";
    }
    const character = line.charAt(at);
    const next = line.charAt(at + 1);
    if (character === "\\" && ESCAPABLE[quote]?.test(next)) {
      word = (word ?? "") + next;
      at++;
    } else if (at !== literal && (quote === "" ? /['"]/.test(character) : character === quote)) {
      if (quote === "") opened = { at, word };
      quote = quote === "" ? character : "";
      word ??= "";
    } else if (quote === "" && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  return { words: word === undefined ? words : [...words, word], isUnclosed: literal !== -1 };
}

/** The characters that a backslash escapes, by the quote around them; within single quotes there are none. */
const ESCAPABLE: Readonly<Record<string, RegExp>> = { "": /[\s'"\\]/, '"': /["\\]/ };
