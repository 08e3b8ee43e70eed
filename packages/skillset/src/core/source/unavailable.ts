import type { Problem } from "../base/problem.ts";
import type { UnmetRequirement } from "../manifest/requirements.ts";
import type { Skill } from "../skill/skill.ts";
import { findUnmetSkills } from "./required-skills.ts";
import type { SkillEntry } from "./select.ts";

type UnavailableEntry = Extract<SkillEntry, { status: "unavailable" }>;

/** Hides skills that require a skill which is not enabled. Changes the entries, and returns the skills that are left. */
export function hideUnmet(entries: SkillEntry[], skills: readonly Skill[]): readonly Skill[] {
  const unmet = findUnmetSkills(entries);
  if (unmet.size === 0) return skills;
  const hidden = new Set<Skill>();
  for (const [index, entry] of entries.entries()) {
    const found = unmet.get(entry);
    if (found === undefined || entry.status !== "enabled") continue;
    entries[index] = unavailable(entry.skill, found);
    hidden.add(entry.skill);
  }
  return skills.filter((skill) => !hidden.has(skill));
}

/** Creates the entry of a skill whose requirements are not met. */
export function unavailable(skill: Skill, unmet: readonly UnmetRequirement[]): UnavailableEntry {
  const reason = unmet.map((one) => one.reason).join("; ");
  return { status: "unavailable", name: skill.name, skill, reason, unmet };
}

/** Returns one problem for each requirement that is not met. */
export function unmetProblems({ name, skill, unmet }: UnavailableEntry): Problem[] {
  return unmet.map(({ reason, fix }) => ({
    code: "requirement-unmet",
    severity: "warning",
    message: `'${name}' is unavailable: ${reason}.`,
    skill: name,
    ...(skill.location !== undefined && { path: skill.location }),
    fix,
  }));
}
