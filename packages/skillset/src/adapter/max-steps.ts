import { SkillError } from "../core/base/errors.ts";
import { DEFAULTS } from "../core/base/limits.ts";

/** Returns the maximum number of requests in one run: 20 by default. Throws if it is less than 1. */
export function checkMaxSteps(maxSteps: number = DEFAULTS.maxSteps): number {
  if (maxSteps >= 1) return maxSteps;
  throw new SkillError("option-invalid", `'maxSteps' must be 1 or more, not ${maxSteps}.`);
}
