import { hasRequirements, type Requirement } from "../manifest/requirements.ts";
import type { SkillCandidate } from "../source/select.ts";

/** Whether a candidate has requirements that are not checked yet. Locked and disabled skills are hidden anyway. */
export function mayBeUnmet(candidate: SkillCandidate): candidate is Extract<SkillCandidate, { kind: "skill" }> {
  if (candidate.kind === "invalid" || candidate.locked !== undefined || candidate.disabled !== undefined) return false;
  return candidate.unmet === undefined && hasRequirements(candidate.skill.metadata);
}

/**
 * Whether a required command is in fact a skill beside this one. The standard leaves `metadata` to authors, and some list
 * skills under `requires`.
 */
export function namesSkill({ kind, name }: Pick<Requirement, "kind" | "name">, names: ReadonlySet<string>): boolean {
  return kind === "command" && names.has(name);
}

/** The names of all candidates that can be loaded. */
export function namesOf(candidates: readonly SkillCandidate[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const candidate of candidates) if (candidate.kind === "skill") names.add(candidate.skill.name);
  return names;
}
