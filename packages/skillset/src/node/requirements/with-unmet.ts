import type { SkillCandidate } from "../../core/source/select.ts";
import type { CheckRequirementsOptions } from "./check-requirements.ts";
import { mayBeUnmet } from "./may-be-unmet.ts";

/** Adds the unmet requirements to the candidates, unless `requirements` is false. */
export async function withUnmet(
  candidates: readonly SkillCandidate[],
  { requirements = true, ...options }: CheckRequirementsOptions & { readonly requirements?: boolean },
): Promise<readonly SkillCandidate[]> {
  if (!requirements || !candidates.some(mayBeUnmet)) return candidates;
  // Loaded on demand: few skills have requirements.
  const { checkRequirements } = await import("./check-requirements.ts");
  return checkRequirements(candidates, options);
}
