import { splitWords } from "./words.ts";

/**
 * Splits a message into its clauses: at punctuation, lines, list items and words such as "and then". A clause with fewer
 * than three words is joined with the next one, because it could match anything.
 */
export function splitClauses(text: string): readonly string[] {
  const clauses: string[] = [];
  let open = "";
  let words = 0;
  for (const part of text.split(BOUNDARY)) {
    open = `${open} ${part.trim()}`.trimStart();
    words += splitWords(part).length;
    if (words < FEWEST_WORDS) continue;
    clauses.push(open);
    if (clauses.length === MOST_CLAUSES) return clauses;
    open = "";
    words = 0;
  }
  const last = clauses.pop();
  return last === undefined ? [open].filter(Boolean) : [...clauses, `${last} ${open}`.trimEnd()];
}

const FEWEST_WORDS = 3;
const MOST_CLAUSES = 12;

/** Punctuation serves most languages. The words are those that join two tasks in the most common ones. */
const BOUNDARY = new RegExp(
  [
    String.raw`[\n;。！？；，、]`,
    String.raw`[.!?,:](?=\s|$)`,
    String.raw`\s[-–—*•]\s`,
    String.raw`(?<=\s)(?:and|then|also|und|dann|et|puis|y|luego|e|depois|poi|и|затем)(?=\s)`,
    "然后|然後|接着|そして|それから|그리고",
  ].join("|"),
  "iu",
);
