/**
 * Normalizes untrusted text in pieces. Normalization takes quadratic time in the length of a run of combining marks, so
 * a single description could otherwise block the program.
 */
export function normalise(text: string, form: "NFC" | "NFKC" | "NFKD"): string {
  return text.length <= 256 ? text.normalize(form) : text.replace(NOT_ASCII, (run) => run.normalize(form));
}

/** Includes the character before, which an accent may belong to. */
const NOT_ASCII = /[\0-\x7f]?[^\0-\x7f]{1,256}/g;
