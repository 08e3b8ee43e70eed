import { SkillValidationError } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import type { Problem } from "./problem.ts";

/** Creates the error for a rejected skill. Its message has the problems with severity `error`, up to a limit. */
export function invalid(problems: readonly Problem[], name: string): SkillValidationError {
  const refusing = problems.filter(({ severity }) => severity === "error");
  const errors = refusing.length > 0 ? refusing : problems;
  const shown = errors.slice(0, LIMITS.shown.issues).map(({ message }) => message);
  const more = errors.length > shown.length ? ` (and ${errors.length - shown.length} more)` : "";
  return new SkillValidationError(`Invalid skill '${errors[0]?.skill ?? name}': ${shown.join(" ")}${more}`, problems);
}
