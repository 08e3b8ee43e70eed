// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.
import { FIELDS, type SearchedSkill, searchedTexts } from "./fields.ts";
import { splitWords, toTerm } from "./words.ts";

/** The id of each term. */
export type TermIds = Map<string, number>;

/** The distinct terms of one skill, with their weights. */
export interface TermVector {
  readonly terms: Uint32Array;
  readonly weights: Float32Array;
}

/** Counts the terms of a skill and its optional body, weighted by field. */
export function countTerms(ids: TermIds, skill: SearchedSkill, body?: string): TermVector {
  const texts = searchedTexts(skill, body);
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
      const rarity = rarityOf(spread[terms[at]!]!, librarySize);
      weights[at] = (rarity * weights[at]!) / (weights[at]! + SATURATION);
    }
  }
  return spread;
}

/** How rare a term is: less, the more skills have it. */
export function rarityOf(holders: number, librarySize: number): number {
  return Math.log(1 + (librarySize - holders + 0.5) / (holders + 0.5));
}

const SATURATION = 5;
