// biome-ignore-all lint/style/noNonNullAssertion: every place comes from the arrays themselves.
import { splitWords, toTerm } from "./words.ts";

/** The number of each term. */
export type TermIds = Map<string, number>;

/** The distinct terms of one skill and what each weighs. */
export interface TermVector {
  readonly terms: Uint32Array;
  readonly weights: Float32Array;
}

/** The terms of a skill's name, description and, when given, body, each with how much it counts there. */
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

/** Turns counts into weights, in place, and returns in how many skills each term is. */
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

/** BM25F for name, description and body. The optimum that `bench/rank.ts` shows is flat, so round numbers do. */
const FIELDS = [
  { weight: 15, lengthPenalty: 0.3, usualWords: 3 },
  { weight: 5, lengthPenalty: 0.5, usualWords: 33 },
  { weight: 1, lengthPenalty: 0.8, usualWords: 900 },
];
const SATURATION = 5;
