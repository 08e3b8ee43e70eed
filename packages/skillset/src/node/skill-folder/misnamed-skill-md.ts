import { join } from "node:path";
import { LIMITS } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import { splitSkillMd } from "../../core/manifest/frontmatter.ts";
import { readContained } from "../files/contained-read.ts";

/** Finds a SKILL.md with the wrong spelling, the most likely reason for a missing skill. */
export function findMisnamed(folder: string, names: readonly string[]): Problem | undefined {
  if (names.includes("SKILL.md")) return undefined;
  const misnamed = names.find((name) => MISNAMED.test(name) && isSkill(folder, name));
  if (misnamed === undefined) return undefined;
  return {
    code: "skill-md-misnamed",
    severity: "warning",
    message: `'${misnamed}' is ignored: the file must be named SKILL.md.`,
    path: join(folder, misnamed),
    fix: `Rename '${misnamed}' to 'SKILL.md'.`,
  };
}

const MISNAMED = /^skills?\.(?:md|markdown)$/i;

/** Whether a file starts like a skill. Other pages, such as specifications, have such names too. */
function isSkill(folder: string, name: string): boolean {
  try {
    const split = splitSkillMd(
      new TextDecoder().decode(readContained(folder, name, { maxBytes: LIMITS.hard.skillMd })),
    );
    return split.ok && /^(?:name|description):/m.test(split.frontmatter);
  } catch {
    return false;
  }
}
