// biome-ignore-all lint/style/noNonNullAssertion: every place comes from the arrays themselves.
import type { Skill } from "./skill.ts";

export interface CreateRankIndexOptions {
  /** Whether the instructions are searched too. It finds more, and reads every body once. */
  readonly body?: boolean;
  readonly signal?: AbortSignal;
}

/** Finds the skills that fit a request by the words they share: it suggests, it does not decide. */
export interface RankIndex {
  search(query: string, options?: RankSearchOptions): readonly RankedSkill[];
}

export interface RankSearchOptions {
  readonly limit?: number;
  /** Leaves weaker hits out. Scores compare within one index only. */
  readonly minScore?: number;
}

export interface RankedSkill {
  readonly skill: Skill;
  readonly score: number;
  /** The words of the query that the skill has, in the query's order. */
  readonly matched: readonly string[];
}

export interface FindSimilarOptions {
  /** From 0.8 on, most pairs of public skills are copies or rewordings; pairs that only share a topic are below. */
  readonly threshold?: number;
}

/** Two skills that a model will confuse; `similarity` is 1 when they use the same words. */
export interface SimilarPair {
  readonly a: Skill;
  readonly b: Skill;
  readonly similarity: number;
}

/** BM25F for name, description and body. The optimum that `bench/rank.ts` shows is flat, so round numbers do. */
const FIELDS = [
  { weight: 15, lengthPenalty: 0.3, usualWords: 3 },
  { weight: 5, lengthPenalty: 0.5, usualWords: 33 },
  { weight: 1, lengthPenalty: 0.8, usualWords: 900 },
];
const SATURATION = 5;
const READS_AT_ONCE = 16;
const SLICE_MILLISECONDS = 10;
const MAX_PAIRS = 1000;
const MAX_PAIRS_PER_SKILL = 10;

/** Weighs every word of the skills once, so that a search only adds numbers up. */
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
    for (const [at, { name, description }] of batch.entries()) {
      vectors.push(countTerms(ids, name, description, bodies[at]));
      if (performance.now() < sliceEnd) continue;
      await new Promise((resume) => setTimeout(resume));
      sliceEnd = performance.now() + SLICE_MILLISECONDS;
    }
  }
  signal?.throwIfAborted();
  const postings = invert(vectors, weigh(vectors, ids.size, vectors.length));
  return { search: (query, options) => search(ranked, ids, postings, query, options) };
}

/** Pairs whose names and descriptions are nearly the same words: the most alike first, and at most a thousand. */
export function findSimilar(
  skills: readonly Skill[],
  { threshold = 0.8 }: FindSimilarOptions = {},
): readonly SimilarPair[] {
  const ids: TermIds = new Map();
  const vectors = skills.map(({ name, description }) => countTerms(ids, name, description));
  // Among a handful of skills rarity says nothing, so they are weighed as if they stood in a library of a hundred.
  const spread = weigh(vectors, ids.size, Math.max(100, vectors.length));
  const holders = Array.from(spread, (): number[] => []);
  const current = new Float64Array(ids.size);
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
      if (++found === MAX_PAIRS_PER_SKILL) break;
    }
    // Later skills meet this one at its rarest terms only. The common ones are left out as long as they could not
    // reach the threshold alone, so no pair is missed and next to none is compared in vain.
    let remaining = 1;
    for (const term of terms.toSorted((x, y) => spread[x]! - spread[y]!)) {
      if (remaining < threshold * threshold) break;
      holders[term]!.push(b);
      remaining -= current[term]! ** 2;
    }
    for (const term of terms) current[term] = 0;
  }
  return pairs.sort((x, y) => y.similarity - x.similarity).slice(0, MAX_PAIRS);
}

type TermIds = Map<string, number>;

/** The distinct terms of one skill and what each weighs. */
interface TermVector {
  readonly terms: Uint32Array;
  readonly weights: Float32Array;
}

/** The same by term: the skills that have term `t` are at `starts[t]` up to `starts[t + 1]`. */
interface Postings {
  readonly starts: Uint32Array;
  readonly skills: Uint32Array;
  readonly weights: Float32Array;
}

async function readBody(skill: Skill, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await skill.instructions(signal && { signal });
  } catch {
    signal?.throwIfAborted();
    return "";
  }
}

function countTerms(ids: TermIds, ...texts: readonly (string | undefined)[]): TermVector {
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
function weigh(vectors: readonly TermVector[], termCount: number, librarySize: number): Uint32Array {
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
  { limit = 10, minScore = 0 }: RankSearchOptions = {},
): RankedSkill[] {
  const asked = new Map<number, string>();
  for (const word of splitWords(query)) {
    const id = ids.get(toTerm(word));
    if (id !== undefined && !asked.has(id)) asked.set(id, word);
  }
  const scores = new Float64Array(ranked.length);
  for (const id of asked.keys()) {
    for (let at = starts[id]!, end = starts[id + 1]!; at < end; at++) scores[skills[at]!]! += weights[at]!;
  }
  const best = selectBest(scores, limit, minScore);
  const matched = new Map(best.map((skill): [number, string[]] => [skill, []]));
  const isBest = new Uint8Array(ranked.length);
  for (const skill of best) isBest[skill] = 1;
  for (const [id, word] of asked) {
    for (let at = starts[id]!, end = starts[id + 1]!; at < end; at++) {
      if (isBest[skills[at]!]) matched.get(skills[at]!)!.push(word);
    }
  }
  return best.map((skill) => ({ skill: ranked[skill]!, score: scores[skill]!, matched: matched.get(skill)! }));
}

/** The places of the highest scores, of equals the first. Sorting all of them would cost most of a search. */
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

function* eachOnce(terms: Uint32Array, holders: readonly (readonly number[])[]): Generator<number> {
  const seen = new Set<number>();
  for (const term of terms) {
    for (const holder of holders[term]!) {
      if (!seen.has(holder)) yield holder;
      seen.add(holder);
    }
  }
}

const STOPWORDS = new Set(
  (
    "a an and are as at be by can do does for from has have how i if in is it its my not of on or our s should t " +
    "that the this to we what when which will with you your"
  ).split(" "),
);
/**
 * With the character before, which an accent may belong to. ASCII is spared the Unicode classes, three times slower.
 * In pieces, because normalising takes time quadratic in the length of a run of combining marks.
 */
const NOT_ASCII = /[\0-\x7f]?[^\0-\x7f]{1,256}/g;
const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+/gu;
const CAMEL_HUMP = /(?<=\p{Ll})(?=\p{Lu})/u;

/** Words in lower case. `useState` gives itself and its parts; Chinese, Japanese and Korean give pairs of letters. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  const add = (word: string) => STOPWORDS.has(word) || words.push(word);
  const plain = text.replace(NOT_ASCII, toPlainLetters);
  for (const run of plain.match(/[a-zA-Z0-9\u0080-\uffff]+/g) ?? []) {
    const word = run.toLowerCase();
    add(word);
    const parts = run === word ? [] : run.split(CAMEL_HUMP);
    if (parts.length > 1) for (const part of parts) add(part.toLowerCase());
  }
  return words;
}

function toPlainLetters(run: string): string {
  return run
    .normalize("NFKC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .replace(CJK, toPairs);
}

function toPairs(run: string): string {
  const letters = Array.from(run);
  const pairs = letters.slice(1).map((letter, at) => letters[at] + letter);
  return ` ${pairs.join(" ") || run} `;
}

/** Plural and singular are one term. More stemming loses more first hits than it wins once bodies are searched. */
function toTerm(word: string): string {
  const isPlural = word.length > 3 && word.endsWith("s") && !word.endsWith("ss");
  return isPlural ? word.slice(0, -1) : word;
}
