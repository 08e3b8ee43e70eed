import { SkillError } from "../core/base/errors.ts";
import { DEFAULTS } from "../core/base/limits.ts";

/** How many requests one run may send, as every loop around a model counts them: 20 unless the host sets another number. */
export function checkMaxSteps(maxSteps: number = DEFAULTS.maxSteps): number {
  if (maxSteps >= 1) return maxSteps;
  throw new SkillError("option-invalid", `'maxSteps' must be 1 or more, not ${maxSteps}.`);
}
