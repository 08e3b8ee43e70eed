import { messageOf } from "./message-of.ts";
import type { Problem } from "./problem.ts";
import { shareInstances } from "./share-instances.ts";

/** The reason for an error. Switch on it instead of parsing messages. */
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
  | "tool-denied"
  | "toolset-failed"
  | "scripts-disabled"
  | "script-refused"
  | "consent-required"
  | "verification-failed"
  | "authorization-failed"
  | "budget-exceeded"
  | "store-failed"
  | "peer-missing"
  | "peer-unsupported"
  | "agent-not-found"
  | "agent-failed"
  | "run-timed-out"
  | "run-failed"
  | "result-invalid"
  | "result-missing"
  | "trust-store-invalid"
  | "prompt-invalid"
  | "section-not-found"
  | "expansion-required"
  | "skill-ref-invalid"
  | "skill-install-failed"
  | "config-invalid";

/** The base class of all errors that the library throws. */
export class SkillError extends Error {
  override readonly name: string = "SkillError";
  readonly code: SkillErrorCode;

  static {
    shareInstances(SkillError, "SkillError");
  }

  constructor(code: SkillErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Thrown when a skill breaks rules that the current mode enforces. `problems` lists them. */
export class SkillValidationError extends SkillError {
  override readonly name = "SkillValidationError";
  readonly problems: readonly Problem[];

  constructor(message: string, problems: readonly Problem[], options?: ErrorOptions) {
    super("skill-invalid", message, options);
    this.problems = problems;
  }
}

/** Thrown when a prompt, a section or its render options are invalid. */
export class PromptValidationError extends SkillError {
  override readonly name = "PromptValidationError";
  /** The sections and skills at fault, named as in the message. Lists both when two conflict. */
  readonly places: readonly string[];

  constructor(message: string, places: readonly string[], options?: ErrorOptions) {
    super("prompt-invalid", message, options);
    this.places = places;
  }
}

/** Why a `SkillRef` is invalid. */
export type SkillRefReason = "not-found" | "not-directory" | "missing-skill-md" | "invalid-frontmatter";

/** Thrown when a `SkillRef` does not point to a valid skill. */
export class SkillRefError extends SkillError {
  override readonly name = "SkillRefError";
  readonly path: string;
  readonly reason: SkillRefReason;
  readonly details?: string;

  constructor(path: string, reason: SkillRefReason, details?: string, options?: ErrorOptions) {
    const words = REF_REASONS[reason];
    super(
      "skill-ref-invalid",
      `The skill reference '${path}' ${words}${details === undefined ? "." : `: ${details}`}`,
      options,
    );
    this.path = path;
    this.reason = reason;
    if (details !== undefined) this.details = details;
  }
}

const REF_REASONS: Readonly<Record<SkillRefReason, string>> = {
  "not-found": "does not exist",
  "not-directory": "is neither a skill folder nor a Markdown file",
  "missing-skill-md": "points to a folder without a SKILL.md",
  "invalid-frontmatter": "points to an invalid SKILL.md",
};

/** Thrown when a skill cannot be written or copied into an agent's skills folder. */
export class SkillInstallationError extends SkillError {
  override readonly name = "SkillInstallationError";
  readonly skillName: string;
  readonly skillsDir: string;
  readonly source: "inline" | "ref";

  constructor(skillName: string, skillsDir: string, source: "inline" | "ref", cause: unknown) {
    const why = messageOf(cause);
    super("skill-install-failed", `Skill '${skillName}' could not be installed in '${skillsDir}': ${why}`, { cause });
    this.skillName = skillName;
    this.skillsDir = skillsDir;
    this.source = source;
  }
}
