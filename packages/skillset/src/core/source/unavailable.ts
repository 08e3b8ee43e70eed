import type { Problem } from "../base/problem.ts";
import type { UnmetRequirement } from "../manifest/requirements.ts";
import { findUnmetSkills } from "./required-skills.ts";
import type { SkillEntry } from "./select.ts";

type UnavailableEntry = Extract<SkillEntry, { status: "unavailable" }>;

/** Makes the skills unavailable that require a skill which is not enabled. Returns the same array if there are none. */
export function hideUnmet(entries: readonly SkillEntry[], unmet = findUnmetSkills(entries)): readonly SkillEntry[] {
  if (unmet.size === 0) return entries;
  return entries.map((entry) => {
    const found = unmet.get(entry);
    return found !== undefined && entry.status === "enabled" ? unavailable(entry, found) : entry;
  });
}

/** Creates the entry of a skill whose requirements are not met. */
export function unavailable(
  { skill, host }: Pick<UnavailableEntry, "skill" | "host">,
  unmet: readonly UnmetRequirement[],
): UnavailableEntry {
  const reason = unmet.map((one) => one.reason).join("; ");
  return { status: "unavailable", name: skill.name, skill, host, reason, unmet };
}

/** Returns one problem for each requirement that is not met. */
export function unmetProblems(entries: readonly SkillEntry[]): Problem[] {
  const problems: Problem[] = [];
  for (const entry of entries) {
    if (entry.status !== "unavailable") continue;
    const { name, skill, unmet } = entry;
    for (const { reason, fix } of unmet) {
      problems.push({
        code: "requirement-unmet",
        severity: "warning",
        message: `'${name}' is unavailable: ${reason}.`,
        skill: name,
        ...(skill.location !== undefined && { path: skill.location }),
        fix,
      });
    }
  }
  return problems;
}
