import { hasRequirements } from "../manifest/requirements.ts";
import type { SkillCandidate } from "../source/select.ts";

/** Whether a candidate has requirements that are not checked yet. Locked and disabled skills are hidden anyway. */
export function mayBeUnmet(candidate: SkillCandidate): candidate is Extract<SkillCandidate, { kind: "skill" }> {
  if (candidate.kind === "invalid" || candidate.locked !== undefined || candidate.disabled !== undefined) return false;
  return candidate.unmet === undefined && hasRequirements(candidate.skill.metadata);
}
