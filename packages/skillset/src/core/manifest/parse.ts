import { SkillError } from "../base/errors.ts";
import { invalid } from "../base/invalid.ts";
import type { Problem } from "../base/problem.ts";
import { checkOptions, type OptionTable } from "../text/check-options.ts";
import { splitSkillMd } from "./frontmatter.ts";
import { checkManifest, type Manifest } from "./manifest.ts";
import { ManifestReport, placeAt, shorten } from "./manifest-report.ts";
import { parsePlainYaml } from "./plain-yaml.ts";
import { type Policy, type PolicyOptions, resolvePolicy } from "./policy.ts";
import { findMistake, type Repair, repairFrontmatter } from "./repair.ts";
import { parseYaml, QUOTE_TEXTS, YamlError } from "./yaml.ts";
import type { YamlNode } from "./yaml-node.ts";

export interface ParseOptions extends PolicyOptions {
  /** The name of the file's folder. The standard requires it to match the skill's name. */
  readonly folder?: string;
  /** The file's path, for problems. */
  readonly path?: string;
}

/** A parsed SKILL.md. */
export interface ParsedSkillMd extends Manifest {
  readonly body: string;
  readonly problems: readonly Problem[];
}

/**
 * Parses the text of a SKILL.md. Throws a `SkillValidationError` if the policy rejects it.
 * @example
 * ```ts
 * import { parseSkillMd } from "skillset";
 *
 * const text = "---\nname: brew-tea\ndescription: Brews tea.\n---\nBoil water.";
 * const { name, body } = parseSkillMd(text, { policy: "strict" });
 * console.log(name, body);
 * ```
 */
export function parseSkillMd(text: string, options: ParseOptions = {}): ParsedSkillMd {
  checkOptions("parseSkillMd()", options, OPTIONS);
  if (typeof text !== "string")
    throw new SkillError("option-invalid", "parseSkillMd() requires the text of a SKILL.md.");
  const policy = resolvePolicy({ policy: "standard", ...options });
  const { manifest, body, problems } = readSkillMd(text, { ...options, policy });
  if (manifest === undefined) throw invalid(problems, options.folder ?? options.path ?? "SKILL.md");
  return { ...manifest, body, problems };
}

export interface ReadSkillMd {
  /** Undefined if the policy rejects the skill. `problems` then contains the errors. */
  readonly manifest: Manifest | undefined;
  readonly body: string;
  readonly problems: Problem[];
  /** The repaired frontmatter, if it needed a repair. */
  readonly repaired?: string;
  /** The repair is good enough to load the skill, but not to rewrite the file. */
  readonly isGuess?: boolean;
}

/** Parses without throwing, for callers that collect problems. */
export function readSkillMd(
  text: string,
  { policy, folder, path }: { policy: Policy; folder?: string; path?: string },
): ReadSkillMd {
  if (text.includes("\0")) {
    const report = new ManifestReport({ policy, folder, path });
    report.add("nul-byte", "SKILL.md has a NUL byte.", { fix: "Save the file as plain text." });
    return { manifest: undefined, body: "", problems: report.problems };
  }
  const split = splitSkillMd(text);
  if (!split.ok) {
    const report = new ManifestReport({ policy, folder, path, source: "" });
    report.add(split.code, split.message, { fix: split.fix });
    return { manifest: undefined, body: "", problems: report.problems };
  }
  const { frontmatter, body, firstLine } = split;
  const parsed = readYaml(frontmatter, policy.repair);
  if ("error" in parsed) {
    const { at, message } = parsed.error;
    // The first repair of a lenient reader is the most likely cause.
    const fix = parsed.error.fix ?? repairFrontmatter(frontmatter)?.repairs[0]?.fix ?? QUOTE_TEXTS;
    const report = new ManifestReport({ policy, folder, path, source: frontmatter, firstLine });
    report.add("frontmatter-invalid-yaml", `The frontmatter is not valid YAML: ${message}.`, { at, fix });
    return { manifest: undefined, body, problems: report.problems };
  }
  const { root, source, repairs } = parsed;
  const report = new ManifestReport({ policy, folder, path, source, firstLine });
  if (firstLine > 2) {
    report.add("frontmatter-not-first", "There are blank lines above the first '---' line.", {
      place: { line: 1 - firstLine, column: 0 },
      fix: "Remove the blank lines.",
    });
  }
  for (const { message, fix, line, column } of repairs)
    report.add("frontmatter-repaired", message, { place: { line, column }, fix });
  if (root.kind !== "mapping") {
    report.add("frontmatter-not-a-mapping", "The frontmatter must be 'key: value' lines.", {
      fix: "Write 'name:' and 'description:' lines.",
    });
    return { manifest: undefined, body, problems: report.problems };
  }
  const manifest = checkManifest(root.entries, report);
  if (repairs.length === 0) return { manifest, body, problems: report.problems };
  const isGuess = repairs.some((repair) => repair.isGuess);
  return { manifest, body, problems: report.problems, repaired: source, isGuess };
}

type YamlReading = { root: YamlNode; source: string; repairs: readonly Repair[] } | { error: YamlError };

function readYaml(source: string, mayRepair: boolean): YamlReading {
  const plain = parsePlainYaml(source);
  if (plain !== undefined) return { root: plain, source, repairs: [] };
  const broken = mayRepair ? findMistake(source) : -1;
  if (broken !== -1) {
    // Loading the YAML parser takes 10 ms. It is not needed for text that is known to be invalid.
    const fixed = repaired(source, new YamlError("a string needs quotes", broken));
    if (fixed !== undefined) return fixed;
  }
  try {
    const root = parseYaml(source);
    refuseDuplicates(root);
    if (root.kind === "mapping" || !mayRepair) return { root, source, repairs: [] };
    return repaired(source, new YamlError("it is not a mapping", 0)) ?? { root, source, repairs: [] };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return (mayRepair ? repaired(source, error) : undefined) ?? { error };
  }
}

function repaired(source: string, error: YamlError): YamlReading | undefined {
  const repair = repairFrontmatter(source);
  if (repair === undefined) return undefined;
  const { line, column } = placeAt(source, error.at, 0);
  const unexplained = {
    line,
    column: column - 1,
    message: `The frontmatter is not valid YAML: ${error.message}.`,
    fix: error.fix ?? QUOTE_TEXTS,
  };
  const repairs = repair.repairs.length > 0 ? repair.repairs : [unexplained];
  try {
    return { root: parsePlainYaml(repair.source) ?? parseYaml(repair.source), source: repair.source, repairs };
  } catch (again) {
    if (again instanceof YamlError) return undefined;
    throw again;
  }
}

function refuseDuplicates(node: YamlNode): void {
  if (node.kind === "sequence") for (const item of node.items) refuseDuplicates(item);
  if (node.kind !== "mapping") return;
  const seen = new Set<string>();
  for (const { key, at, value } of node.entries) {
    if (seen.has(key)) {
      const shown = shorten(key);
      throw new YamlError(`'${shown}' is defined twice`, at, `Remove the second '${shown}', or rename it.`);
    }
    seen.add(key);
    refuseDuplicates(value);
  }
}

const OPTIONS: OptionTable<ParseOptions> = {
  folder: true,
  path: true,
  policy: true,
  unknownFields: true,
  extensions: true,
  asciiNames: true,
};
