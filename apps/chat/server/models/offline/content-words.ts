/** The meaningful words of a text, in lower case, each once, in order. */
export function contentWords(text: string): readonly string[] {
  const words = new Set<string>();
  const spoken = text.slice(0, LONGEST_TEXT).replace(PLACES, " ").toLowerCase();
  for (const [run] of spoken.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    for (const word of UNSPACED.test(run) ? segments(run) : [run]) {
      if (!PLAIN_WORDS.has(word) && (word.length > 1 || UNSPACED.test(word))) words.add(word);
    }
  }
  return [...words];
}

/**
 * Whether two words are forms of one word: `crash` and `crashes`, `summary` and `summarise`. The first six letters, or
 * all four of a short word, must match. Some unrelated words match too, so one word alone never decides.
 */
export function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length < 4 || UNSPACED.test(short)) return false;
  return long.startsWith(short)
    ? long.length - short.length <= 5
    : long.startsWith(short.slice(0, Math.max(6, short.length - 2)));
}

/** The searched part of a request. The end of a pasted log adds nothing. */
const LONGEST_TEXT = 20_000;
/** URLs and paths are names, without meaning for the search. */
const PLACES = /https?:\/\/\S+|(?<![\w./-])\/?(?:[\w.-]+\/)+[\w-]+\.\w+/g;
/** Writing systems without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u;

function segments(run: string): string[] {
  const found = new Intl.Segmenter("en", { granularity: "word" }).segment(run);
  return Array.from(found, ({ segment }) => segment);
}

/** Words that occur in any request: function words, greetings and thanks. */
const PLAIN_WORDS = new Set(
  (
    "a about after all also am an and any are as at be because been before but by can could did do does doing done for from " +
    "get give go got had has have he her here him his how i if in into is it its just let like ll m make may me might more " +
    "most must my need no not now of off on one only or other our out over own re s same see shall she should since so some " +
    "still such t than that the their them then there these they thing things this those to too up us use used using ve very " +
    "want was way we were what when where which while who why will with would yet you your yours tell show say know think " +
    "hi hello hey hallo hola bonjour ciao salut servus moin yo greetings howdy good morning afternoon evening night day bye " +
    "goodbye cheers thanks thank thx danke merci gracias grazie please pls bitte sorry welcome ok okay yes yeah yep nope sure " +
    "great nice cool awesome perfect wonderful fine well lol haha wow help today meet"
  ).split(" "),
);
