import type { Problem } from "./problem.ts";

/** Why the library refused a call; switch on it instead of on message texts. */
export type SkillErrorCode =
  | "skill-invalid"
  | "skill-not-found"
  | "skill-collision"
  | "skill-locked"
  | "source-not-found"
  | "source-unreadable"
  | "option-invalid"
  | "resource-not-found"
  | "resource-outside-skill"
  | "resource-not-a-file"
  | "resource-not-text"
  | "resource-too-large"
  | "skill-too-large"
  | "tool-not-found"
  | "tool-input-invalid"
  | "tool-failed"
  | "tool-timed-out"
  | "tool-aborted"
  | "verification-failed"
  | "budget-exceeded"
  | "store-failed"
  | "peer-missing"
  | "agent-not-found"
  | "agent-failed"
  | "run-timed-out"
  | "result-invalid"
  | "result-missing"
  | "trust-store-invalid";

/** What the library throws on purpose. */
export class SkillError extends Error {
  override readonly name: string = "SkillError";
  readonly code: SkillErrorCode;

  constructor(code: SkillErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A skill breaks rules that the calling surface does not forgive; `problems` says which. */
export class SkillValidationError extends SkillError {
  override readonly name = "SkillValidationError";
  readonly problems: readonly Problem[];

  constructor(message: string, problems: readonly Problem[], options?: ErrorOptions) {
    super("skill-invalid", message, options);
    this.problems = problems;
  }
}
