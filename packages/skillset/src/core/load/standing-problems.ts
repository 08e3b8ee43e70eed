import type { Problem } from "../base/problem.ts";
import { isStored, type Skill } from "../skill/skill.ts";
import type { Selection } from "../source/select.ts";

/** Leaves out lock problems of folders that the user also listed, which are not locked. */
export function standing(problems: readonly Problem[], { entries }: Selection): readonly Problem[] {
  if (!problems.some(({ code }) => code === "skill-locked")) return problems;
  const locked = new Set(entries.flatMap((entry) => (entry.status === "locked" ? [placeOf(entry.skill)] : [])));
  return problems.filter(({ code, path = "" }) => code !== "skill-locked" || locked.has(path));
}

function placeOf(skill: Skill): string {
  return isStored(skill) ? skill.basePath : "";
}
