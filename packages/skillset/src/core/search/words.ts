import { lazyRegExp } from "../base/lazy-regexp.ts";

/** Splits text into lowercase words. `useState` also yields its parts. Chinese, Japanese and Korean yield letter pairs. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  const add = (word: string) => STOPWORDS.has(word) || words.push(word);
  const plain = text.replace(NOT_ASCII, toPlainLetters);
  for (const run of plain.match(/[a-zA-Z0-9\u0080-\uffff]+/g) ?? []) {
    const word = run.toLowerCase();
    add(word);
    const parts = run === word ? [] : run.split(CAMEL_HUMP());
    if (parts.length > 1) for (const part of parts) add(part.toLowerCase());
  }
  return words;
}

/** Maps plural and singular to one term. With bodies searched, more stemming would lose more top hits than it wins. */
export function toTerm(word: string): string {
  const isPlural = word.length > 3 && word.endsWith("s") && !word.endsWith("ss");
  return isPlural ? word.slice(0, -1) : word;
}

const STOPWORDS = new Set(
  (
    "a an and are as at be by can do does for from has have how i if in is it its my not of on or our s should t " +
    "that the this to we what when which will with you your"
  ).split(" "),
);
/**
 * Includes the character before, which an accent may belong to. ASCII skips the Unicode classes, which are three times
 * slower. Works in pieces, because normalization takes quadratic time in the length of a run of combining marks.
 */
const NOT_ASCII = /[\0-\x7f]?[^\0-\x7f]{1,256}/g;
const CJK = lazyRegExp(String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+`, "gu");
const NOT_WORDS = lazyRegExp(String.raw`[^\p{L}\p{M}\p{N}]+`, "gu");
const CAMEL_HUMP = lazyRegExp(String.raw`(?<=\p{Ll})(?=\p{Lu})`);

function toPlainLetters(run: string): string {
  return run.normalize("NFKC").replace(NOT_WORDS(), " ").replace(CJK(), toPairs);
}

function toPairs(run: string): string {
  const letters = Array.from(run);
  const pairs = letters.slice(1).map((letter, at) => letters[at] + letter);
  return ` ${pairs.join(" ") || run} `;
}
