// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.
import { splitWords, toTerm } from "./words.ts";

/** The id of each term. */
export type TermIds = Map<string, number>;

/** The distinct terms of one skill, with their weights. */
export interface TermVector {
  readonly terms: Uint32Array;
  readonly weights: Float32Array;
}

/** Counts the terms of a skill's name, description and optional body, weighted by field. */
export function countTerms(ids: TermIds, ...texts: readonly (string | undefined)[]): TermVector {
  const counts = new Map<number, number>();
  for (const [field, { weight, lengthPenalty, usualWords }] of FIELDS.entries()) {
    const words = splitWords(texts[field] ?? "");
    const share = weight / (1 - lengthPenalty + (lengthPenalty * words.length) / usualWords);
    for (const word of words) {
      const term = toTerm(word);
      const id = ids.get(term) ?? ids.size;
      if (id === ids.size) ids.set(term, id);
      counts.set(id, (counts.get(id) ?? 0) + share);
    }
  }
  return { terms: Uint32Array.from(counts.keys()), weights: Float32Array.from(counts.values()) };
}

/** Converts counts to weights in place. Returns in how many skills each term occurs. */
export function weigh(vectors: readonly TermVector[], termCount: number, librarySize: number): Uint32Array {
  const spread = new Uint32Array(termCount);
  for (const { terms } of vectors) for (const term of terms) spread[term]!++;
  for (const { terms, weights } of vectors) {
    for (let at = 0; at < terms.length; at++) {
      const holders = spread[terms[at]!]!;
      const rarity = Math.log(1 + (librarySize - holders + 0.5) / (holders + 0.5));
      weights[at] = (rarity * weights[at]!) / (weights[at]! + SATURATION);
    }
  }
  return spread;
}

/** BM25F for name, description and body. `bench/rank.ts` shows a flat optimum, so round numbers are good enough. */
const FIELDS = [
  { weight: 15, lengthPenalty: 0.3, usualWords: 3 },
  { weight: 5, lengthPenalty: 0.5, usualWords: 33 },
  { weight: 1, lengthPenalty: 0.8, usualWords: 900 },
];
const SATURATION = 5;
