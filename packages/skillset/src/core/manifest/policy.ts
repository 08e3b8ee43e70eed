import { checkChoice } from "../base/check-choice.ts";
import type { ProblemCode } from "../base/problem.ts";

/** What sets a policy apart from the others. */
interface PolicyRules {
  readonly repair: boolean;
  readonly unknownFields: UnknownFields;
  /** Whether the policy rejects a skill that can be loaded, but deviates from the standard. */
  refuses(code: ProblemCode): boolean;
}

const POLICIES = {
  lenient: { repair: true, unknownFields: "warn", refuses: () => false },
  standard: { repair: false, unknownFields: "warn", refuses: (code) => KINDS[code] === "identity" },
  reference: { repair: false, unknownFields: "reject", refuses: (code) => !TOLERATED_BY_REFERENCE.has(code) },
  strict: { repair: false, unknownFields: "reject", refuses: () => true },
} satisfies Record<string, PolicyRules>;

/**
 * How strictly skills are validated.
 * - `lenient`: loads every skill that it can, repairs common mistakes, and reports each deviation.
 * - `standard`: rejects a skill with an invalid frontmatter, name or description, and reports the rest.
 * - `reference`: accepts and rejects the same skills as the standard's reference validator.
 * - `strict`: rejects every deviation from the standard.
 */
export type PolicyName = keyof typeof POLICIES;
export const POLICY_NAMES = Object.keys(POLICIES) as readonly PolicyName[];

const UNKNOWN_FIELDS = ["reject", "warn", "ignore"] as const;

/** How to handle frontmatter fields outside the standard. */
export type UnknownFields = (typeof UNKNOWN_FIELDS)[number];

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
  checkChoice("policy", name, POLICY_NAMES);
  checkChoice("unknownFields", unknownFields, [undefined, ...UNKNOWN_FIELDS]);
  checkChoice("asciiNames", asciiNames, [true, false]);
  const { repair, unknownFields: byDefault } = POLICIES[name];
  return { name, repair, unknownFields: unknownFields ?? byDefault, extensions, asciiNames };
}

/** Whether the policy rejects a skill with this problem. */
export function refuses(policy: Policy, code: ProblemCode): boolean {
  if (code === "field-unknown") return policy.unknownFields === "reject";
  if (code === "name-not-ascii" && policy.asciiNames) return true;
  const kind = KINDS[code];
  if (kind === "unloadable" || kind === "advice") return kind === "unloadable";
  return POLICIES[policy.name].refuses(code);
}

/**
 * What a problem means for a skill:
 * - `unloadable`: no policy can load it. It has nothing to show to a model, or is not safe to read.
 * - `identity`: it has no identity under the standard.
 * - `deviation`: it deviates from the standard in another way, or something besides the skill does not work.
 * - `advice`: a hint, never a reason to reject it.
 */
type ProblemKind = "unloadable" | "identity" | "deviation" | "advice";

const KINDS: Readonly<Record<ProblemCode, ProblemKind>> = {
  "frontmatter-missing": "unloadable",
  "frontmatter-unclosed": "unloadable",
  "frontmatter-invalid-yaml": "unloadable",
  "frontmatter-not-a-mapping": "unloadable",
  "frontmatter-too-large": "unloadable",
  "frontmatter-repaired": "deviation",
  "frontmatter-not-first": "deviation",
  "name-missing": "identity",
  "name-not-a-string": "identity",
  "name-empty": "identity",
  "name-too-long": "identity",
  "name-uppercase": "identity",
  "name-characters": "identity",
  "name-spaces": "deviation",
  "name-not-ascii": "deviation",
  "name-edge-hyphen": "identity",
  "name-double-hyphen": "identity",
  "name-unusable": "identity",
  "name-folder-mismatch": "identity",
  "description-missing": "unloadable",
  "description-not-a-string": "identity",
  "description-empty": "unloadable",
  "description-too-long": "identity",
  "license-not-a-string": "deviation",
  "compatibility-not-a-string": "deviation",
  "compatibility-empty": "deviation",
  "compatibility-too-long": "deviation",
  "metadata-not-a-mapping": "deviation",
  "metadata-value-not-a-string": "deviation",
  "allowed-tools-not-a-string": "deviation",
  "allowed-tools-commas": "deviation",
  "allowed-tools-list": "advice",
  "field-unknown": "deviation",
  "flag-not-a-boolean": "advice",
  "requirement-invalid": "advice",
  "triggers-invalid": "advice",
  "toolsets-invalid": "advice",
  "hidden-text": "advice",
  "skill-md-misnamed": "advice",
  "skill-md-not-a-file": "unloadable",
  "skill-md-unreadable": "unloadable",
  "skill-md-too-large": "unloadable",
  "encoding-not-utf8": "unloadable",
  "nul-byte": "unloadable",
  "file-refused": "advice",
  "skill-too-large": "unloadable",
  "link-outside": "unloadable",
  "link-broken": "unloadable",
  "source-missing": "advice",
  "source-empty": "advice",
  "source-unreadable": "deviation",
  "source-kept": "advice",
  "scan-limit": "advice",
  "skills-not-read": "advice",
  "skill-shadowed": "advice",
  "skill-locked": "advice",
  "skill-limit": "advice",
  "requirement-unmet": "advice",
  "skill-not-published": "deviation",
  "skill-not-imported": "deviation",
  "pattern-unmatched": "advice",
  "profile-widens": "advice",
  "embedding-failed": "deviation",
  "scripts-disabled": "deviation",
  "sandbox-broken": "deviation",
  "body-empty": "advice",
  "body-too-long": "advice",
  "template-unchanged": "advice",
  "trigger-pattern-invalid": "advice",
  "reference-missing": "advice",
  "reference-deep": "advice",
};

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
