import { lazyRegExp } from "../base/lazy-regexp.ts";

/**
 * Splits text into lowercase words. `useState` also yields its parts. Languages without spaces between words, and
 * Korean, yield pairs of letters. `Intl.Segmenter` is no slower, but its words depend on the runtime and on the words
 * around them, so a request and a skill could be split differently.
 */
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

/** Whether a word forms pairs with its neighbours. In languages without spaces, words are pairs of letters already. */
export function formsPairs(word: string): boolean {
  return word.search(UNSPACED()) === -1;
}

/**
 * English, then French, German, Spanish, Portuguese and Italian without words that also mean something in English.
 * Among mostly English skills, a French article would count as a rare word and decide the ranking.
 */
const STOPWORDS = new Set(
  (
    "a an and are as at be by can do does for from has have how i if in is it its my not of on or our s should t " +
    "that the this to we what when which will with you your " +
    "au aux avec ce cette dans de des du elle en est et je la le les leur mes mon nous pas pour que qui sur un une vous " +
    "auf aus bei das dem der ein eine einem einen einer für ich ist mein meine nicht und von wie zu " +
    "como con del el ella esta este las los mis muy nuestra nuestro por qué una y " +
    "às como e em meu minha não nos ou são uma " +
    "che della gli il nel sono"
  ).split(" "),
);
/**
 * Includes the character before, which an accent may belong to. ASCII skips the Unicode classes, which are three times
 * slower. Works in pieces, because normalization takes quadratic time in the length of a run of combining marks.
 */
const NOT_ASCII = /[\0-\x7f]?[^\0-\x7f]{1,256}/g;
const UNSPACED = lazyRegExp(
  String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+`,
  "gu",
);
/** A letter with its vowel signs and tone marks. */
const LETTER = lazyRegExp(String.raw`.\p{M}*`, "gu");
const NOT_WORDS = lazyRegExp(String.raw`[^\p{L}\p{M}\p{N}]+`, "gu");
const CAMEL_HUMP = lazyRegExp(String.raw`(?<=\p{Ll})(?=\p{Lu})`);

function toPlainLetters(run: string): string {
  return run.normalize("NFKC").replace(NOT_WORDS(), " ").replace(UNSPACED(), toPairs);
}

function toPairs(run: string): string {
  let [pairs, last] = ["", ""];
  for (const letter of run.match(LETTER()) ?? []) {
    if (last !== "") pairs += ` ${last}${letter}`;
    last = letter;
  }
  return `${pairs || ` ${run}`} `;
}
