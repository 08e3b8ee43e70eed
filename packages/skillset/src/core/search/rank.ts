// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.
import { DEFAULTS } from "../base/limits.ts";
import type { Skill } from "../skill/skill.ts";
import { perfectScore } from "./fit.ts";
import { countTerms, rarityOf, type TermIds, type TermVector, weigh } from "./term-weights.ts";
import { splitWords, toTerm } from "./words.ts";

export interface CreateRankIndexOptions {
  /**
   * Also searches the instructions. Finds more skills, but reads every body once.
   * @default true
   */
  readonly body?: boolean;
  /** Aborts the indexing. */
  readonly signal?: AbortSignal;
}

/** Finds the skills that best match a query by the words they share. */
export interface RankIndex {
  search(query: string, options?: RankSearchOptions): readonly RankedSkill[];
}

export interface RankSearchOptions {
  /**
   * How many skills to return at most.
   * @default 10
   */
  readonly limit?: number;
  /**
   * Leaves out skills with a lower score. Scores are comparable within one index only.
   * @default 0
   */
  readonly minScore?: number;
}

/** Options of `skillset.rank()`. */
export interface RankOptions {
  /**
   * How many skills to return at most.
   * @default 10
   */
  readonly limit?: number;
  /**
   * Leaves out skills with a lower score. Scores are comparable within one skillset only.
   * @default 0
   */
  readonly minScore?: number;
  /**
   * Also searches the instructions, which are read once, on the first call.
   * @default true
   */
  readonly body?: boolean;
  /** Stops waiting for the result. */
  readonly signal?: AbortSignal;
}

export interface RankedSkill {
  readonly skill: Skill;
  readonly score: number;
  /**
   * How well the skill fits, from 0 to 1: its score, compared with a skill that is all about the query's rarest words.
   * Comparable between queries and libraries, unlike `score`.
   */
  readonly fit: number;
  /** The query's words that the skill contains, in the query's order. */
  readonly matched: readonly string[];
}

const READS_AT_ONCE = 16;
const SLICE_MILLISECONDS = 10;
/** Weights every word of the skills once, so that a search only adds numbers. */
export async function createRankIndex(
  skills: readonly Skill[],
  { body = true, signal }: CreateRankIndexOptions = {},
): Promise<RankIndex> {
  const ranked = [...skills];
  const ids: TermIds = new Map();
  const vectors: TermVector[] = [];
  let sliceEnd = performance.now() + SLICE_MILLISECONDS;
  for (let start = 0; start < ranked.length; start += READS_AT_ONCE) {
    signal?.throwIfAborted();
    const batch = ranked.slice(start, start + READS_AT_ONCE);
    const bodies = body ? await Promise.all(batch.map((skill) => readBody(skill, signal))) : [];
    for (const [at, skill] of batch.entries()) {
      vectors.push(countTerms(ids, skill, bodies[at]));
      if (performance.now() < sliceEnd) continue;
      await new Promise((resume) => setTimeout(resume));
      sliceEnd = performance.now() + SLICE_MILLISECONDS;
    }
  }
  signal?.throwIfAborted();
  const postings = invert(vectors, weigh(vectors, ids.size, vectors.length));
  return { search: (query, options) => search(ranked, ids, postings, query, options) };
}

/** The same by term: the skills that have term `t` are at `starts[t]` up to `starts[t + 1]`. */
interface Postings {
  readonly starts: Uint32Array;
  readonly skills: Uint32Array;
  readonly weights: Float32Array;
}

async function readBody(skill: Skill, signal: AbortSignal | undefined): Promise<string> {
  // Searching does not fetch skills from another program.
  if (skill.isRemote) return "";
  try {
    return await skill.instructions(signal && { signal });
  } catch {
    signal?.throwIfAborted();
    return "";
  }
}

function invert(vectors: readonly TermVector[], spread: Uint32Array): Postings {
  const starts = new Uint32Array(spread.length + 1);
  for (const [term, holders] of spread.entries()) starts[term + 1] = starts[term]! + holders;
  const skills = new Uint32Array(starts[spread.length]!);
  const weights = new Float32Array(skills.length);
  const next = starts.slice();
  for (const [skill, vector] of vectors.entries()) {
    for (let at = 0; at < vector.terms.length; at++) {
      const place = next[vector.terms[at]!]!++;
      skills[place] = skill;
      weights[place] = vector.weights[at]!;
    }
  }
  return { starts, skills, weights };
}

function search(
  ranked: readonly Skill[],
  ids: TermIds,
  { starts, skills, weights }: Postings,
  query: string,
  { limit = DEFAULTS.rankedSkills, minScore = 0 }: RankSearchOptions = {},
): RankedSkill[] {
  const asked = new Map<number, string>();
  const unknown = new Set<string>();
  for (const word of splitWords(query)) {
    const id = ids.get(toTerm(word));
    if (id === undefined) unknown.add(toTerm(word));
    else if (!asked.has(id)) asked.set(id, word);
  }
  const scores = new Float64Array(ranked.length);
  for (const id of asked.keys()) {
    for (let at = starts[id]!, end = starts[id + 1]!; at < end; at++) scores[skills[at]!]! += weights[at]!;
  }
  const best = selectBest(scores, limit, minScore);
  const matched = new Map(best.map((skill): [number, string[]] => [skill, []]));
  const isBest = new Uint8Array(ranked.length);
  for (const skill of best) isBest[skill] = 1;
  // A word that no skill has counts like a word of a single skill. In a small library it would count far more otherwise.
  const rarities = Array.from(unknown, () => rarityOf(1, ranked.length));
  for (const [id, word] of asked) {
    rarities.push(rarityOf(starts[id + 1]! - starts[id]!, ranked.length));
    for (let at = starts[id]!, end = starts[id + 1]!; at < end; at++) {
      if (isBest[skills[at]!]) matched.get(skills[at]!)!.push(word);
    }
  }
  const perfect = perfectScore(rarities);
  return best.map((skill) => ({
    skill: ranked[skill]!,
    score: scores[skill]!,
    fit: Math.min(1, scores[skill]! / perfect),
    matched: matched.get(skill)!,
  }));
}

/** Returns the indexes of the highest scores, earlier ones first on a tie. Sorting all would dominate a search's cost. */
function selectBest(scores: Float64Array, limit: number, minScore: number): number[] {
  const best: number[] = [];
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place]!;
    if (score === 0 || score < minScore) continue;
    let rank = best.length;
    while (rank > 0 && scores[best[rank - 1]!]! < score) rank--;
    if (rank >= limit) continue;
    best.splice(rank, 0, place);
    if (best.length > limit) best.pop();
  }
  return best;
}
