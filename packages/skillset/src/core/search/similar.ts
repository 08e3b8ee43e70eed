// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.
import { DEFAULTS, LIMITS } from "../base/limits.ts";
import type { Skill } from "../skill/skill.ts";
import { searchedTexts } from "./fields.ts";
import { TermCounter } from "./term-counter.ts";
import { randomSeed } from "./term-table.ts";
import { rarityOf, weightOf } from "./term-weights.ts";

export interface FindSimilarOptions {
  /**
   * The lowest similarity to report. From 0.8 up, most pairs of public skills are copies or rewordings; pairs that only
   * share a topic are below.
   * @default 0.8
   */
  readonly threshold?: number;
}

/** Two skills that a model may confuse. `similarity` is 1 if they use the same words. */
export interface SimilarPair {
  readonly a: Skill;
  readonly b: Skill;
  readonly similarity: number;
}

/** Returns pairs with nearly the same words in name and description, most similar first, at most a thousand. */
export function findSimilar(
  skills: readonly Skill[],
  { threshold = DEFAULTS.similarity }: FindSimilarOptions = {},
): readonly SimilarPair[] {
  const counter = new TermCounter(randomSeed(), { pairs: false });
  const counted = skills.map(({ name, description }) => {
    const { terms, counts } = counter.count(searchedTexts({ name, description }));
    return { terms: terms.slice(), counts: counts.slice() };
  });
  const spread = new Uint32Array(counter.terms.size);
  for (const { terms } of counted) for (const term of terms) spread[term]!++;
  // Among few skills rarity means little, so they are weighted as if they were part of a library of a hundred.
  const librarySize = Math.max(100, skills.length);
  const vectors = counted.map(({ terms, counts }) => ({
    terms,
    weights: counts.map((count, at) => weightOf(count, rarityOf(spread[terms[at]!]!, librarySize))),
  }));
  const holders = Array.from(spread, (): number[] => []);
  const current = new Float64Array(spread.length);
  const pairs: SimilarPair[] = [];
  for (const [b, { terms, weights }] of vectors.entries()) {
    const length = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0));
    for (let at = 0; at < terms.length; at++) current[terms[at]!] = weights[at]! /= length;
    let found = 0;
    for (const a of eachOnce(terms, holders)) {
      const other = vectors[a]!;
      const similarity = other.terms.reduce((sum, term, at) => sum + current[term]! * other.weights[at]!, 0);
      if (similarity < threshold) continue;
      pairs.push({ a: skills[a]!, b: skills[b]!, similarity: Math.min(1, similarity) });
      if (++found === LIMITS.soft.similarPairsOfSkill) break;
    }
    // Only the rarest terms of a skill are indexed. Common terms are left out as long as they cannot reach the
    // threshold alone, so no pair is missed and few are compared needlessly.
    let remaining = 1;
    for (const term of terms.toSorted((x, y) => spread[x]! - spread[y]!)) {
      if (remaining < threshold * threshold) break;
      holders[term]!.push(b);
      remaining -= current[term]! ** 2;
    }
    for (const term of terms) current[term] = 0;
  }
  return pairs.sort((x, y) => y.similarity - x.similarity).slice(0, LIMITS.soft.similarPairs);
}

function* eachOnce(terms: Uint32Array, holders: readonly (readonly number[])[]): Generator<number> {
  const seen = new Set<number>();
  for (const term of terms) {
    for (const holder of holders[term]!) {
      if (!seen.has(holder)) yield holder;
      seen.add(holder);
    }
  }
}
