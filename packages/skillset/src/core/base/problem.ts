/** Gravest first. */
export const SEVERITIES = ["error", "warning", "info"] as const;

/** `error`: the skill or source is not loaded. `warning`: it is loaded anyway. `info`: a hint. */
export type Severity = (typeof SEVERITIES)[number];

/** One finding for a skill's author or the operator: what is wrong, where, and how to fix it. */
export interface Problem {
  readonly code: ProblemCode;
  readonly severity: Severity;
  readonly message: string;
  readonly skill?: string;
  readonly path?: string;
  /** Starts at 1. */
  readonly line?: number;
  /** Starts at 1. */
  readonly column?: number;
  readonly fix?: string;
}

/** Identifies the kind of a problem. */
export type ProblemCode =
  | FrontmatterProblemCode
  | FieldProblemCode
  | FileProblemCode
  | SetProblemCode
  | LintProblemCode;

export type FrontmatterProblemCode =
  | "frontmatter-missing"
  | "frontmatter-unclosed"
  | "frontmatter-invalid-yaml"
  | "frontmatter-not-a-mapping"
  | "frontmatter-too-large"
  | "frontmatter-repaired"
  | "frontmatter-not-first";

export type FieldProblemCode =
  | "name-missing"
  | "name-not-a-string"
  | "name-empty"
  | "name-too-long"
  | "name-uppercase"
  | "name-characters"
  | "name-spaces"
  | "name-not-ascii"
  | "name-edge-hyphen"
  | "name-double-hyphen"
  | "name-unusable"
  | "name-folder-mismatch"
  | "description-missing"
  | "description-not-a-string"
  | "description-empty"
  | "description-too-long"
  | "license-not-a-string"
  | "compatibility-not-a-string"
  | "compatibility-empty"
  | "compatibility-too-long"
  | "metadata-not-a-mapping"
  | "metadata-value-not-a-string"
  | "allowed-tools-not-a-string"
  | "allowed-tools-commas"
  | "allowed-tools-list"
  | "field-unknown"
  | "flag-not-a-boolean"
  | "requirement-invalid"
  | "triggers-invalid"
  | "toolsets-invalid"
  | "hidden-text";

export type FileProblemCode =
  | "skill-md-misnamed"
  | "skill-md-not-a-file"
  | "skill-md-unreadable"
  | "skill-md-too-large"
  | "encoding-not-utf8"
  | "nul-byte"
  | "file-refused"
  | "skill-too-large"
  | "link-outside"
  | "link-broken";

export type SetProblemCode =
  | "source-missing"
  | "source-empty"
  | "source-unreadable"
  | "source-kept"
  | "scan-limit"
  | "skills-not-read"
  | "skill-shadowed"
  | "skill-locked"
  | "skill-limit"
  | "requirement-unmet"
  | "skill-not-published"
  | "skill-not-imported"
  | "pattern-unmatched"
  | "profile-widens"
  | "embedding-failed"
  | "scripts-disabled"
  | "sandbox-broken";

export type LintProblemCode =
  | "body-empty"
  | "body-too-long"
  | "template-unchanged"
  | "trigger-pattern-invalid"
  | "reference-missing"
  | "reference-deep";
