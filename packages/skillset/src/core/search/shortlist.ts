import { DEFAULTS, LIMITS } from "../base/limits.ts";
import type { Skill } from "../skill/skill.ts";
import { splitClauses } from "./clauses.ts";
import type { RankedSkill } from "./rank.ts";
import { rarityOf } from "./term-weights.ts";

export interface ShortlistOptions {
  /** Ranks all skills by a query. */
  readonly rank: (query: string) => Promise<readonly RankedSkill[]>;
  /** How many skills `rank` ranks. */
  readonly librarySize: number;
  /** Whether a skill may be in the list. The others still count as better matches. */
  readonly isCandidate: (skill: Skill) => boolean;
  /**
   * How many skills to return at most.
   * @default 5
   */
  readonly limit?: number;
}

/**
 * Returns the skills that a message needs, as a set: its clauses are ranked on their own, and a skill that matches words
 * which a skill in the list already matches counts less. Empty unless a skill clearly fits.
 */
export async function createShortlist(
  text: string,
  { rank, librarySize, isCandidate, limit = DEFAULTS.suggestedSkills }: ShortlistOptions,
): Promise<readonly Skill[]> {
  const message = searchedPart(text);
  const clauses = splitClauses(message);
  const queries = clauses.length > 1 ? [message, ...clauses] : clauses;
  const rankings = await Promise.all(queries.map(rank));
  const candidates = new Map<Skill, Match[]>();
  for (const ranked of rankings) {
    const closest = (ranked[0]?.score ?? 0) * NEAR;
    for (const { skill, score, fit, matched } of ranked) {
      if (score < closest || !isCandidate(skill)) continue;
      const evidence = (score * Math.sqrt(fit)) / rarityOf(1, librarySize);
      candidates.set(skill, [...(candidates.get(skill) ?? []), { evidence, matched }]);
    }
  }
  const isClear = [...candidates.values()].flat().some(({ evidence }) => evidence >= CLEAR);
  return isClear ? selectSet(candidates, limit) : [];
}

/** How well a skill matches one clause. */
interface Match {
  /** In units of one word that no other skill has: comparable between libraries of any size. */
  readonly evidence: number;
  readonly matched: readonly string[];
}

/** The least evidence of a clear match. On real requests that fit no skill, `bench/suggest.ts` shows how often it is met. */
const CLEAR = 0.8;
/** Skills whose score is lower than this part of the best one's are not listed for a clause. */
const NEAR = 0.8;
/** What a word counts that a skill in the list already matches. */
const REPEATED = 0.5;

function selectSet(candidates: Map<Skill, readonly Match[]>, limit: number): readonly Skill[] {
  const selected: Skill[] = [];
  const uses = new Map<string, number>();
  const news = (word: string): number => REPEATED ** (uses.get(word) ?? 0);
  const worthOf = (matches: readonly Match[]): number =>
    matches.reduce((sum, { evidence, matched }) => sum + evidence * mean(matched.map(news)), 0);
  while (selected.length < limit && candidates.size > 0) {
    let best: { readonly skill: Skill; readonly matches: readonly Match[]; readonly worth: number } | undefined;
    for (const [skill, matches] of candidates) {
      const worth = worthOf(matches);
      if (best === undefined || worth > best.worth) best = { skill, matches, worth };
    }
    if (best === undefined) break;
    selected.push(best.skill);
    candidates.delete(best.skill);
    for (const word of new Set(best.matches.flatMap(({ matched }) => matched)))
      uses.set(word, (uses.get(word) ?? 0) + 1);
  }
  return selected;
}

/** A skill that an embedding model found matches no words, and repeats none. */
function mean(values: readonly number[]): number {
  return values.length === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The request is at the start or at the end of a long message, before or after what the user pasted. */
function searchedPart(text: string): string {
  const most = LIMITS.soft.searchedText;
  return text.length <= most ? text : `${text.slice(0, most / 2)}\n${text.slice(-most / 2)}`;
}
