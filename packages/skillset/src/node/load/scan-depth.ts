import { SkillError } from "../../core/base/errors.ts";
import { DEFAULTS, LIMITS } from "../../core/base/limits.ts";

/** Returns how many levels the option `recursive` searches. Throws for a value that would search another depth than it says. */
export function scanDepth(recursive: boolean | number = DEFAULTS.scanDepth): number {
  if (typeof recursive === "boolean") return recursive ? LIMITS.hard.scanDepth : 1;
  if (Number.isInteger(recursive) && recursive >= 1) return recursive;
  const shown = JSON.stringify(recursive);
  throw new SkillError("option-invalid", `'recursive' must be true, false or a number of levels from 1, not ${shown}.`);
}
