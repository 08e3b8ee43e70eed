import { join } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import type { Problem } from "../../core/base/problem.ts";
import { splitSkillMd } from "../../core/manifest/frontmatter.ts";
import { placeAt, shorten } from "../../core/manifest/manifest-report.ts";
import { parsePlainYaml } from "../../core/manifest/plain-yaml.ts";
import { placeTriggers } from "../../core/manifest/triggers.ts";
import { parseYaml, YamlError } from "../../core/manifest/yaml.ts";
import { readSkillMdText } from "../skill-folder/folder-skill.ts";
import type { LintPlace } from "./lint.ts";

/** Compiles the patterns in a skill's triggers. Loading does not: the engine takes longer to load than many skills. */
export async function lintTriggers({ folder, name }: LintPlace): Promise<readonly Problem[]> {
  const { patterns, source, firstLine } = readPatterns(folder);
  if (patterns.length === 0) return [];
  const { loadPatterns } = await import("../../core/trigger/patterns.ts");
  const compile = await loadPatterns();
  return patterns.flatMap(({ text, at }): Problem[] => {
    const compiled = compile(text);
    if ("test" in compiled) return [];
    const message = `The pattern '${shorten(text)}' is not used: ${shorten(compiled.fault)}.`;
    const fix = "Write an RE2 expression that matches only what the skill is for, or remove it.";
    const place = { skill: name, path: join(folder, "SKILL.md"), ...placeAt(source, at, firstLine) };
    return [{ code: "trigger-pattern-invalid", severity: "warning", message, ...place, fix }];
  });
}

function readPatterns(folder: string) {
  const [source, firstLine] = readFrontmatter(folder) ?? ["", 1];
  try {
    const root = parsePlainYaml(source) ?? parseYaml(source);
    const entries = root.kind === "mapping" ? root.entries : [];
    const find = (field: string) => entries.find(({ key }) => key === field);
    const patterns = placeTriggers(find("triggers"), find("metadata")).filter(({ kind }) => kind === "patterns");
    return { patterns, source, firstLine };
  } catch (error) {
    // Loading reports a broken frontmatter.
    if (!(error instanceof YamlError)) throw error;
    return { patterns: [], source, firstLine };
  }
}

function readFrontmatter(folder: string): readonly [string, number] | undefined {
  try {
    const split = splitSkillMd(readSkillMdText(folder));
    return split.ok && split.frontmatter.includes("trigger") ? [split.frontmatter, split.firstLine] : undefined;
  } catch (error) {
    // The other checks report a file that cannot be read.
    if (!(error instanceof SkillError)) throw error;
    return undefined;
  }
}
