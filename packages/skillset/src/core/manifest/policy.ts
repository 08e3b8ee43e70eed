import { SkillError } from "../base/errors.ts";
import type { ProblemCode } from "../base/problem.ts";

/**
 * How strictly skills are validated.
 * - `lenient`: loads every skill that it can, repairs common mistakes, and reports each deviation.
 * - `standard`: rejects a skill with an invalid frontmatter, name or description, and reports the rest.
 * - `reference`: accepts and rejects the same skills as the standard's reference validator.
 * - `strict`: rejects every deviation from the standard.
 */
export type PolicyName = "lenient" | "standard" | "reference" | "strict";

/** How to handle frontmatter fields outside the standard. */
export type UnknownFields = "reject" | "warn" | "ignore";

export interface Policy {
  readonly name: PolicyName;
  /** Repairs frontmatter that is not valid YAML, if the repair is certain. */
  readonly repair: boolean;
  readonly unknownFields: UnknownFields;
  /** Fields outside the standard that are allowed, such as `triggers`. */
  readonly extensions: readonly string[];
  /** Rejects names with letters outside ASCII, which can look like the name of another skill. */
  readonly asciiNames: boolean;
}

export interface PolicyOptions {
  /**
   * How strictly to validate skills. `parseSkillMd()` uses `"standard"` by default.
   * @default "lenient"
   */
  readonly policy?: PolicyName;
  /**
   * How to handle frontmatter fields outside the standard.
   * @default "reject" with the policies `reference` and `strict`, otherwise "warn"
   */
  readonly unknownFields?: UnknownFields;
  /**
   * Fields outside the standard that are allowed, such as `triggers`.
   * @default []
   */
  readonly extensions?: readonly string[];
  /**
   * Rejects names with letters outside ASCII, which can look like the name of another skill.
   * @default false
   */
  readonly asciiNames?: boolean;
}

export function resolvePolicy({
  policy: name = "lenient",
  unknownFields,
  extensions = [],
  asciiNames = false,
}: PolicyOptions = {}): Policy {
  checkChoice("policy", name, ["lenient", "standard", "reference", "strict"]);
  checkChoice("unknownFields", unknownFields, [undefined, "reject", "warn", "ignore"]);
  checkChoice("asciiNames", asciiNames, [true, false]);
  const rejects = name === "reference" || name === "strict";
  return {
    name,
    repair: name === "lenient",
    unknownFields: unknownFields ?? (rejects ? "reject" : "warn"),
    extensions,
    asciiNames,
  };
}

/** Throws if the value is not one of the choices. */
export function checkChoice(option: string, value: unknown, choices: readonly unknown[]): void {
  if (choices.includes(value)) return;
  const names = choices.filter((choice) => choice !== undefined).map((choice) => `'${choice}'`);
  throw new SkillError("option-invalid", `'${option}' must be ${names.join(" or ")}; got ${JSON.stringify(value)}.`);
}

/** Whether the policy rejects a skill with this problem. */
export function refuses(policy: Policy, code: ProblemCode): boolean {
  if (code === "field-unknown") return policy.unknownFields === "reject";
  if (code === "name-not-ascii" && policy.asciiNames) return true;
  if (UNLOADABLE.has(code)) return true;
  if (ADVICE.has(code)) return false;
  switch (policy.name) {
    case "lenient":
      return false;
    case "standard":
      return IDENTITY.has(code);
    case "reference":
      return !TOLERATED_BY_REFERENCE.has(code);
    case "strict":
      return true;
  }
}

/** No policy can load these: the skill has nothing to show to a model, or is not safe to read. */
const UNLOADABLE: ReadonlySet<ProblemCode> = new Set([
  "frontmatter-missing",
  "frontmatter-unclosed",
  "frontmatter-invalid-yaml",
  "frontmatter-not-a-mapping",
  "frontmatter-too-large",
  "description-missing",
  "description-empty",
  "skill-md-not-a-file",
  "skill-md-unreadable",
  "skill-md-too-large",
  "encoding-not-utf8",
  "nul-byte",
  "skill-too-large",
  "link-outside",
  "link-broken",
]);

/** A skill with one of these problems has no identity under the standard. */
const IDENTITY: ReadonlySet<ProblemCode> = new Set([
  "name-missing",
  "name-not-a-string",
  "name-empty",
  "name-too-long",
  "name-uppercase",
  "name-characters",
  "name-edge-hyphen",
  "name-double-hyphen",
  "name-unusable",
  "name-folder-mismatch",
  "description-not-a-string",
  "description-too-long",
]);

/** The reference validator converts scalars to strings, trims names, allows letters of any script, and ignores these. */
const TOLERATED_BY_REFERENCE: ReadonlySet<ProblemCode> = new Set([
  "name-not-ascii",
  "name-spaces",
  "name-not-a-string",
  "description-not-a-string",
  "license-not-a-string",
  "compatibility-empty",
  "metadata-not-a-mapping",
  "metadata-value-not-a-string",
  "allowed-tools-not-a-string",
  "allowed-tools-commas",
]);

/** Hints, never a reason to reject a skill. */
const ADVICE: ReadonlySet<ProblemCode> = new Set([
  "allowed-tools-list",
  "flag-not-a-boolean",
  "requirement-invalid",
  "requirement-unmet",
  "triggers-invalid",
  "toolsets-invalid",
  "trigger-pattern-invalid",
  "hidden-text",
  "skill-shadowed",
  "skill-locked",
  "skill-limit",
  "scan-limit",
  "skills-not-read",
  "source-missing",
  "source-empty",
  "source-kept",
  "pattern-unmatched",
  "profile-widens",
  "skill-md-misnamed",
  "file-refused",
  "body-empty",
  "body-too-long",
  "template-unchanged",
  "reference-missing",
  "reference-deep",
]);
