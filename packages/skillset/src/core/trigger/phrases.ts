import { lazyRegExp } from "../base/lazy-regexp.ts";
import { normalise } from "../text/normalise.ts";

/** A message, prepared for many searches. */
export interface FoldedText {
  readonly text: string;
  /** Its words, to skip most phrases without a search. */
  readonly words: ReadonlySet<string>;
}

export function foldText(text: string): FoldedText {
  const folded = fold(text);
  return { text: folded, words: new Set(folded.match(WORD())) };
}

/** Removes differences that readers do not see: of case, of composition, and between spaces. */
export function fold(text: string): string {
  // Through uppercase, so that ß is ss and both small sigmas are one.
  const upper = normalise(text, "NFC").toUpperCase().toLowerCase().replaceAll("ς", "σ");
  return normalise(upper, "NFC").replace(/\s+/g, " ").trim();
}

/** Whether the message has the phrase, as whole words in scripts that put spaces between words. */
export function hasPhrase({ text, words }: FoldedText, phrase: string): boolean {
  if (!(phrase.match(WORD()) ?? []).every((word) => words.has(word))) return false;
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    if (isBoundary(text, at) && isBoundary(text, at + phrase.length)) return true;
  }
  return false;
}

/** Whether no word continues across this place. */
function isBoundary(text: string, at: number): boolean {
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1);
  const after = [...text.slice(at, at + 2)][0];
  return !(LETTER().test(before ?? "") && LETTER().test(after ?? ""));
}

/** Letters and digits of scripts that put spaces between words. The others match anywhere. */
const LETTERS = String.raw`[[\p{L}\p{M}\p{N}_]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]`;
const WORD = lazyRegExp(`${LETTERS}+`, "gv");
const LETTER = lazyRegExp(`^${LETTERS}$`, "v");

/** Returns the regular English forms of a verb, which may have more words, as in `set up`. */
export function verbForms(verb: string): readonly string[] {
  const [, word = "", rest = ""] = /^([a-z]+)((?: .*)?)$/.exec(verb) ?? [];
  // Other languages inflect differently, so their verbs are used as they are written.
  if (word.length < 2) return [verb];
  return [...new Set([word, ...regularForms(word)])].map((form) => form + rest);
}

function regularForms(word: string): readonly string[] {
  const stem = word.slice(0, -1);
  if (/[^aeiou]y$/.test(word)) return [`${stem}ies`, `${stem}ied`, `${word}ing`];
  if (word.endsWith("ie")) return [`${word}s`, `${word}d`, `${word.slice(0, -2)}ying`];
  if (/[^eoy]e$/.test(word)) return [`${word}s`, `${word}d`, `${stem}ing`];
  if (word.endsWith("e")) return [`${word}s`, `${word}d`, `${word}ing`];
  const third = /(?:[sxz]|ch|sh|o)$/.test(word) ? `${word}es` : `${word}s`;
  const plain = [third, `${word}ed`, `${word}ing`];
  // A short vowel doubles the consonant, as in `planned`. Where it does not, as in `visited`, the plain form counts too.
  const doubled = /[^aeiou]?[aeiou][bdglmnprtv]$/.test(word) && !/[aeiou]{2}.$/.test(word) ? word + word.slice(-1) : "";
  const extra = doubled === "" ? [] : [`${doubled}ed`, `${doubled}ing`];
  return word.endsWith("c") ? [...plain, `${word}ked`, `${word}king`] : [...plain, ...extra];
}
