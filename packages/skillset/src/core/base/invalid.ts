import { SkillValidationError } from "./errors.ts";
import type { Problem } from "./problem.ts";

/** Creates the error for a rejected skill. Its message is the first problem with severity `error`. */
export function invalid(problems: readonly Problem[], name: string): SkillValidationError {
  const refusing = problems.filter(({ severity }) => severity === "error");
  const errors = refusing.length > 0 ? refusing : problems;
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return new SkillValidationError(`Invalid skill '${first?.skill ?? name}': ${first?.message ?? ""}${more}`, problems);
}
