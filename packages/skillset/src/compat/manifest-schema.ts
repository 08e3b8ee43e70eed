import { invalid } from "../core/base/invalid.ts";
import type { Problem } from "../core/base/problem.ts";
import { STANDARD_FIELDS } from "../core/manifest/field-place.ts";
import { checkManifest } from "../core/manifest/manifest.ts";
import { ManifestReport } from "../core/manifest/manifest-report.ts";
import { resolvePolicy } from "../core/manifest/policy.ts";
import { fromValue } from "../core/manifest/yaml-node.ts";
import type { StandardSchema } from "../core/tool/standard-schema.ts";

/** The frontmatter, with the standard's field names. */
export interface SkillManifest {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly "allowed-tools"?: string | readonly string[];
}

/**
 * The strict schema of a skill's frontmatter, which rejects unknown fields. A Standard Schema, with `parse` and
 * `safeParse` for direct use.
 * @example
 * ```ts
 * import { SkillManifestSchema } from "skillset/compat";
 *
 * const manifest = SkillManifestSchema.parse({ name: "brew-tea", description: "Brews tea." });
 * console.log(manifest.name);
 * ```
 */
export const SkillManifestSchema: StandardSchema<SkillManifest> & {
  parse(value: unknown): SkillManifest;
  safeParse(value: unknown): { success: true; data: SkillManifest } | { success: false; error: Error };
} = Object.freeze({
  parse(value: unknown): SkillManifest {
    const problems = check(value);
    if (problems.length > 0) throw invalid(problems, "manifest");
    return value as SkillManifest;
  },
  safeParse(value: unknown) {
    const problems = check(value);
    if (problems.length > 0) return { success: false as const, error: invalid(problems, "manifest") };
    return { success: true as const, data: value as SkillManifest };
  },
  "~standard": {
    version: 1 as const,
    vendor: "skillset",
    validate: (value: unknown) => {
      const problems = check(value);
      return problems.length > 0
        ? { issues: problems.map(({ code, message }) => ({ message, path: fieldOf(code) })) }
        : { value: value as SkillManifest };
    },
  },
});

function check(value: unknown): readonly Problem[] {
  const node = fromValue(value);
  if (node.kind !== "mapping") {
    return [{ code: "frontmatter-not-a-mapping", severity: "error", message: "A manifest must be an object." }];
  }
  const report = new ManifestReport({ policy: resolvePolicy({ policy: "strict" }) });
  checkManifest(node.entries, report);
  // People cannot see hidden text, so a manifest must not contain any.
  return report.problems.filter(({ code, severity }) => severity === "error" || code === "hidden-text");
}

/** Returns the field that a problem's code refers to. */
function fieldOf(code: string): string[] {
  const field = STANDARD_FIELDS.find((one) => code.startsWith(`${one}-`));
  return field === undefined ? [] : [field];
}
