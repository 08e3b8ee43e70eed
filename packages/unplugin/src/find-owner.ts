import { existsSync } from "node:fs";
import { dirname, relative } from "node:path";
import { createSkillset, type Skill } from "skillset";
import { toSlashes } from "./module-ids.ts";

/** A file of a skill. */
export interface OwnedFile {
  readonly skill: Skill;
  /** Relative to the skill. */
  readonly path: string;
}

/** Finds the skill of a file by its folder, for bundlers whose cache restores the module that names the file. */
export async function findOwner(path: string): Promise<OwnedFile | undefined> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (!existsSync(`${folder}/SKILL.md`)) continue;
    const { skills } = await createSkillset([{ path: folder }], { requirements: false, onProblem: () => {} });
    if (skills[0] !== undefined) return { skill: skills[0], path: toSlashes(relative(folder, path)) };
  }
  return undefined;
}
