import type { Problem } from "../base/problem.ts";
import type { UnmetRequirement } from "../manifest/requirements.ts";
import { findUnmetSkills } from "./required-skills.ts";
import type { SkillEntry } from "./select.ts";

type UnavailableEntry = Extract<SkillEntry, { status: "unavailable" }>;

/** Changes the entries of skills that require a skill which is not enabled. */
export function hideUnmet(entries: SkillEntry[]): void {
  const unmet = findUnmetSkills(entries);
  if (unmet.size === 0) return;
  for (const [index, entry] of entries.entries()) {
    const found = unmet.get(entry);
    if (found !== undefined && entry.status === "enabled") entries[index] = unavailable(entry, found);
  }
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
