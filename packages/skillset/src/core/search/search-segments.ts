// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.
import { DEFAULTS } from "../base/limits.ts";
import type { Skill } from "../skill/skill.ts";
import { perfectScore } from "./fit.ts";
import { pairsOf } from "./pairs.ts";
import { decodeCount } from "./posting-numbers.ts";
import type { RankedSkill, RankSearchOptions } from "./rank.ts";
import type { Segment } from "./segment.ts";
import { hashTerm } from "./term-counter.ts";
import type { HashSeed } from "./term-table.ts";
import { PAIR_SHARE, rarityOf, weightOf } from "./term-weights.ts";
import { splitWords, toTerm } from "./words.ts";

/** The documents of a segment that belong to one list of skills. */
export interface SegmentPart {
  readonly segment: Segment;
  /** The place of each document in the list, or -1. */
  readonly places: Int32Array;
  /** Whether every document has a place. */
  readonly isWhole: boolean;
}

/** A list of skills whose words are in segments. Documents of other skills in the segments do not count. */
export interface SearchedList {
  readonly skills: readonly Skill[];
  readonly parts: readonly SegmentPart[];
  /** The part and the document of each place. */
  readonly partAt: Uint32Array;
  readonly documentAt: Uint32Array;
  readonly seed: HashSeed;
}

/** Returns the skills that best match a query. Weights depend on how many skills of the list have a word. */
export function searchSegments(
  list: SearchedList,
  query: string,
  { limit = DEFAULTS.rankedSkills, minScore = 0 }: RankSearchOptions = {},
): RankedSkill[] {
  const { skills, parts, seed } = list;
  const asked: AskedTerm[] = [];
  const rarities: number[] = [];
  for (const [term, word] of termsOf(query)) {
    const postings = findPostings(parts, hashTerm(term, seed));
    const holders = countAllHolders(postings);
    // A word that no skill has counts like a word of a single skill. In a small library it would count far more otherwise.
    const rarity = rarityOf(Math.max(1, holders), skills.length);
    rarities.push(rarity);
    if (holders > 0) asked.push({ word, postings, rarity });
  }
  const scores = new Float64Array(skills.length);
  for (const pair of pairsOf(query, seed)) {
    const postings = findPostings(parts, pair);
    const rarity = PAIR_SHARE * rarityOf(countAllHolders(postings), skills.length);
    for (const list of postings) addScores(scores, list, rarity);
  }
  for (const { postings, rarity } of asked) for (const list of postings) addScores(scores, list, rarity);
  const best = selectBest(scores, limit, minScore);
  const perfect = perfectScore(rarities);
  return best.map((place) => ({
    skill: skills[place]!,
    score: scores[place]!,
    fit: Math.min(1, scores[place]! / perfect),
    matched: asked.filter(({ postings }) => isAt(list, place, postings)).map(({ word }) => word),
  }));
}

interface AskedTerm {
  readonly word: string;
  readonly postings: readonly PostingList[];
  readonly rarity: number;
}

/** The documents of one term in one segment. */
interface PostingList {
  readonly part: SegmentPart;
  readonly start: number;
  readonly end: number;
}

/** The different terms of a query, with the first word for each. */
function termsOf(query: string): Map<string, string> {
  const terms = new Map<string, string>();
  for (const word of splitWords(query)) {
    const term = toTerm(word);
    if (!terms.has(term)) terms.set(term, word);
  }
  return terms;
}

function findPostings(parts: readonly SegmentPart[], { low, high }: HashSeed): PostingList[] {
  return parts.flatMap((part) => {
    const { terms, starts } = part.segment;
    const id = terms.find(low, high);
    return id < 0 ? [] : { part, start: starts[id]!, end: starts[id + 1]! };
  });
}

function countAllHolders(postings: readonly PostingList[]): number {
  return postings.reduce((sum, list) => sum + countHolders(list), 0);
}

function countHolders({ part, start, end }: PostingList): number {
  if (part.isWhole) return end - start;
  const { documents } = part.segment;
  const { places } = part;
  let holders = 0;
  for (let at = start; at < end; at++) if (places[documents[at]!]! >= 0) holders++;
  return holders;
}

function addScores(scores: Float64Array, { part, start, end }: PostingList, rarity: number): void {
  const { places } = part;
  const { documents, counts } = part.segment;
  for (let at = start; at < end; at++) {
    const place = places[documents[at]!]!;
    if (place >= 0) scores[place]! += weightOf(decodeCount(counts[at]!), rarity);
  }
}

/** Whether the skill at a place has a term. Its documents are in ascending order. */
function isAt({ parts, partAt, documentAt }: SearchedList, place: number, postings: readonly PostingList[]): boolean {
  const found = postings.find(({ part }) => part === parts[partAt[place]!]);
  if (found === undefined) return false;
  const { documents } = found.part.segment;
  const document = documentAt[place]!;
  let { start, end } = found;
  while (start < end) {
    const middle = (start + end) >>> 1;
    if (documents[middle]! < document) start = middle + 1;
    else end = middle;
  }
  return start < found.end && documents[start] === document;
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
