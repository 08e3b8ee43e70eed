// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.
import type { Skill } from "../skill/skill.ts";
import type { Vector } from "./embed-texts.ts";
import type { RankedSkill, RankSearchOptions } from "./rank.ts";
import { rarityOf } from "./term-weights.ts";

/** Compares a query with every skill, in slices that do not block other work. */
export async function compareVectors(vectors: readonly Vector[], query: Vector): Promise<Float64Array> {
  const similarities = new Float64Array(vectors.length);
  let sliceEnd = performance.now() + SLICE_MILLISECONDS;
  for (const [at, vector] of vectors.entries()) {
    let sum = 0;
    for (let place = 0; place < vector.length; place++) sum += vector[place]! * query[place]!;
    similarities[at] = sum;
    if (at % COMPARED_AT_ONCE !== 0 || performance.now() < sliceEnd) continue;
    await new Promise((resume) => setTimeout(resume));
    sliceEnd = performance.now() + SLICE_MILLISECONDS;
  }
  return similarities;
}

/**
 * Adds similarities to a ranking by words. Models differ in what is similar, so a similarity counts by how far it is
 * from that of an unrelated skill towards that of the same text: from 0 to 1, like `fit`.
 */
export function fuse(
  skills: readonly Skill[],
  byWords: readonly RankedSkill[],
  similarities: Float64Array,
  { limit, minScore }: Required<RankSearchOptions>,
): readonly RankedSkill[] {
  const unrelated = unrelatedBelow(similarities);
  const shareOf = (at: number): number =>
    unrelated < 1 ? Math.min(1, Math.max(0, (similarities[at]! - unrelated) / (1 - unrelated))) : 0;
  const worth = WORTH * rarityOf(1, skills.length);
  const known = new Map(byWords.map((ranked) => [ranked.skill, ranked]));
  const fused: RankedSkill[] = [];
  for (const [at, skill] of skills.entries()) {
    const share = shareOf(at);
    const words = known.get(skill);
    if (share === 0 && words === undefined) continue;
    const { score = 0, fit = 0, matched = [] } = words ?? {};
    fused.push({ skill, score: score + worth * share, fit: Math.max(fit, share), matched });
  }
  return fused
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

const SLICE_MILLISECONDS = 10;
const COMPARED_AT_ONCE = 256;
/** What the same text counts, in words that no other skill has. A clear match by words counts about as much. */
const WORTH = 1.5;

/** Most skills have nothing to do with a query: up to three deviations above the median, similarity is chance. */
function unrelatedBelow(similarities: Float64Array): number {
  const middle = medianOf(similarities);
  const spread = medianOf(similarities.map((similarity) => Math.abs(similarity - middle)));
  return Math.max(0, middle + 3 * 1.4826 * spread);
}

/** The lower median, so that one of two skills can be above it. */
function medianOf(values: Float64Array): number {
  return values.toSorted()[Math.floor((values.length - 1) / 2)]!;
}
