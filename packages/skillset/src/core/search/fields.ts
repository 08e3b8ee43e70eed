import type { Skill } from "../skill/skill.ts";

/** The part of a skill that a search looks at. */
export type SearchedSkill = Pick<Skill, "name" | "description">;

/** Returns the texts of a skill, one for each of the `FIELDS`. */
export function searchedTexts({ name, description }: SearchedSkill, body = ""): readonly string[] {
  return [name, description, body];
}

/** BM25F for name, description and body. `bench/rank.ts` shows a flat optimum, so round numbers are good enough. */
export const FIELDS = [
  { weight: 15, lengthPenalty: 0.3, usualWords: 3 },
  { weight: 5, lengthPenalty: 0.5, usualWords: 33 },
  { weight: 1, lengthPenalty: 0.8, usualWords: 900 },
];
