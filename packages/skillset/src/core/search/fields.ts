import type { Skill } from "../skill/skill.ts";
import { triggerText, whenText } from "./when.ts";

/** The part of a skill that a search looks at. */
export type SearchedSkill = Pick<Skill, "name" | "description" | "triggers">;

/**
 * Returns the texts of a skill, one for each of the `FIELDS`. Without a body, the clauses of the description are not
 * counted again: there is less text to balance them, and longer requests would find fewer skills.
 */
export function searchedTexts(skill: SearchedSkill, body?: string): readonly string[] {
  return [skill.name, skill.description, body ?? "", body === undefined ? triggerText(skill) : whenText(skill)];
}

/**
 * BM25F for name, description, body and when to use it. `bench/rank.ts` shows a flat optimum, so round numbers are good
 * enough. A field with `pairs` also counts words that are next to each other; in bodies there are too many to keep.
 */
export const FIELDS = [
  { weight: 15, lengthPenalty: 0.3, usualWords: 3, pairs: true },
  { weight: 5, lengthPenalty: 0.5, usualWords: 33, pairs: true },
  { weight: 1, lengthPenalty: 0.8, usualWords: 900, pairs: false },
  { weight: 3, lengthPenalty: 0.5, usualWords: 20, pairs: true },
];
