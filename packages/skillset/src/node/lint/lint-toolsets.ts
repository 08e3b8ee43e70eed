import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "../../core/base/problem.ts";
import { modulePaths, parseToolset } from "../../core/manifest/toolsets.ts";
import { readSkillMdText } from "../skill-folder/folder-skill.ts";
import type { LintPlace } from "./lint.ts";

/** Checks that the modules of a skill's toolsets exist. Runs none of them. */
export function lintToolsets({ folder, name }: LintPlace, toolsets: readonly string[] = []): readonly Problem[] {
  return toolsets.flatMap((toolset): Problem[] => {
    const parsed = parseToolset(toolset);
    if (parsed === undefined || modulePaths(parsed).some((path) => isFile(join(folder, path)))) return [];
    const line = readSkillMdText(folder)
      .split("\n")
      .findIndex((one) => one.includes(toolset));
    const message = `The module of the toolset '${toolset}' does not exist in this skill.`;
    const fix = `Add ${modulePaths(parsed).join(" or ")}, or correct the path.`;
    const place = { path: join(folder, "SKILL.md"), ...(line >= 0 && { line: line + 1 }) };
    return [{ code: "reference-missing", severity: "warning", message, skill: name, ...place, fix }];
  });
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
