import { mayBeUnmet } from "../../core/load/may-be-unmet.ts";
import type { SkillCandidate } from "../../core/source/select.ts";
import type { CheckRequirementsOptions } from "./check-requirements.ts";

/** Adds the unmet requirements to the candidates. */
export async function withUnmet(
  candidates: readonly SkillCandidate[],
  options: CheckRequirementsOptions,
): Promise<readonly SkillCandidate[]> {
  if (!candidates.some(mayBeUnmet)) return candidates;
  // Loaded on demand: few skills have requirements.
  const { checkRequirements } = await import("./check-requirements.ts");
  return checkRequirements(candidates, options);
}
