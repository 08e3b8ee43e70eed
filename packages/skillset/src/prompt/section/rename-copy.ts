import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { readSkillMd } from "../../core/manifest/parse.ts";
import { resolvePolicy } from "../../core/manifest/policy.ts";
import { fixSkillMd } from "../../node/repair/fix-skill-md.ts";

/** Writes another name into the SKILL.md of a copied skill: agents expect the folder's name there. */
export function renameCopy(copy: string, name: string): void {
  const path = join(copy, "SKILL.md");
  const text = readFileSync(path, "utf8");
  if (readSkillMd(text, { policy: STANDARD }).manifest?.name === name) return;
  const renamed = fixSkillMd(text, { folder: name, name });
  if (renamed === undefined) {
    const message = `Its frontmatter cannot be given the name '${name}'. Write 'name: ${name}' on one line.`;
    throw new SkillError("skill-invalid", message);
  }
  const { mode } = statSync(path);
  rmSync(path);
  writeFileSync(path, renamed.text, { mode, flag: "wx" });
}

const STANDARD = resolvePolicy({ policy: "standard" });
