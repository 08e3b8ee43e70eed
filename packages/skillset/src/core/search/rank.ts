import type { Skill } from "../skill/skill.ts";
import { SkillIndex } from "./skill-index.ts";

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

/** Indexes the skills for one list that never changes. A `SkillIndex` follows changes. */
export function createRankIndex(
  skills: readonly Skill[],
  { body = true, signal }: CreateRankIndexOptions = {},
): Promise<RankIndex> {
  return new SkillIndex({ body }).list(skills, signal && { signal });
}
