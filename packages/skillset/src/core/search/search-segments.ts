// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.
import { DEFAULTS } from "../base/limits.ts";
import type { Skill } from "../skill/skill.ts";
import { perfectScore } from "./fit.ts";
import { pairsOf } from "./pairs.ts";
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
}

/** A list of skills whose words are in segments. Documents of other skills in the segments do not count. */
export interface SearchedList {
  readonly skills: readonly Skill[];
  readonly parts: readonly SegmentPart[];
  readonly seed: HashSeed;
}

/** Returns the skills that best match a query. Weights depend on how many skills of the list have a word. */
export function searchSegments(
  { skills, parts, seed }: SearchedList,
  query: string,
  { limit = DEFAULTS.rankedSkills, minScore = 0 }: RankSearchOptions = {},
): RankedSkill[] {
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
  const matched = matchedWords(asked, best, skills.length);
  const perfect = perfectScore(rarities);
  return best.map((place) => ({
    skill: skills[place]!,
    score: scores[place]!,
    fit: Math.min(1, scores[place]! / perfect),
    matched: matched.get(place)!,
  }));
}

interface AskedTerm {
  readonly word: string;
  readonly postings: readonly PostingList[];
  readonly rarity: number;
}

/** The documents of one term in one segment. */
interface PostingList extends SegmentPart {
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
  return parts.flatMap(({ segment, places }) => {
    const id = segment.terms.find(low, high);
    return id < 0 ? [] : { segment, places, start: segment.starts[id]!, end: segment.starts[id + 1]! };
  });
}

function countAllHolders(postings: readonly PostingList[]): number {
  return postings.reduce((sum, list) => sum + countHolders(list), 0);
}

function countHolders({ segment: { documents }, places, start, end }: PostingList): number {
  let holders = 0;
  for (let at = start; at < end; at++) if (places[documents[at]!]! >= 0) holders++;
  return holders;
}

function addScores(scores: Float64Array, { segment, places, start, end }: PostingList, rarity: number): void {
  const { documents, counts } = segment;
  for (let at = start; at < end; at++) {
    const place = places[documents[at]!]!;
    if (place >= 0) scores[place]! += weightOf(counts[at]!, rarity);
  }
}

/** Returns the words that each of the best skills has, by place. */
function matchedWords(asked: readonly AskedTerm[], best: readonly number[], size: number): Map<number, string[]> {
  const matched = new Map(best.map((place): [number, string[]] => [place, []]));
  const isBest = new Uint8Array(size);
  for (const place of best) isBest[place] = 1;
  for (const { word, postings } of asked) {
    for (const { segment, places, start, end } of postings) {
      for (let at = start; at < end; at++) {
        const place = places[segment.documents[at]!]!;
        if (place >= 0 && isBest[place] === 1) matched.get(place)!.push(word);
      }
    }
  }
  return matched;
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
