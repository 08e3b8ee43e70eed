/**
 * Normalises a text of a stranger. Done in pieces, because it takes time quadratic in the length of a run of combining
 * marks: without them a single description could hold a program up.
 */
export function normalise(text: string, form: "NFC" | "NFKC" | "NFKD"): string {
  return text.length <= 256 ? text.normalize(form) : text.replace(NOT_ASCII, (run) => run.normalize(form));
}

/** With the character before, which an accent may belong to. */
const NOT_ASCII = /[\0-\x7f]?[^\0-\x7f]{1,256}/g;
