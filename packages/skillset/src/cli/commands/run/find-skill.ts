import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { SkillError } from "../../../core/base/errors.ts";
import { unknownSkill } from "../../../core/session/unknown-skill.ts";
import type { Skill } from "../../../core/skill/skill.ts";
import type { Skillset } from "../../../core/skillset.ts";
import { isPathLike, whyAbsent } from "../../command-line/found-skill.ts";
import { type LoadSkillsOptions, loadSkills } from "../../command-line/load.ts";
import { whyNotFound } from "../../command-line/skills-elsewhere.ts";
import type { Io } from "../../terminal/io.ts";

/** A skill, and the skillset that can run its scripts. */
export interface FoundSkill {
  /** The folder or name on the command line. */
  readonly given: string;
  readonly skillset: Skillset;
  readonly skill: Skill;
}

/** Finds a skill by its folder, or by its name in the standard folders. Throws if it must not be used. */
export async function findSkill(given: string, options: LoadSkillsOptions, io: Io): Promise<FoundSkill> {
  if (isPathLike(given)) return inFolder(given, options, io);
  const skillset = await loadSkills([], options, io);
  const skill = skillset.get(given);
  if (skill !== undefined) return { given, skillset, skill };
  const reason = whyAbsent(skillset, given);
  // A folder must not replace a skill that is locked or invalid.
  if (reason === "" && existsSync(resolve(io.cwd, given, "SKILL.md"))) return inFolder(given, options, io);
  const { code, message } = unknownSkill(given, skillset.skills);
  throw new SkillError(code, message + whyNotFound(skillset, given, [], io));
}

async function inFolder(folder: string, options: LoadSkillsOptions, io: Io): Promise<FoundSkill> {
  const skillset = await loadSkills([folder], options, io);
  const [skill, ...others] = skillset.skills;
  if (skill !== undefined && others.length === 0) return { given: folder, skillset, skill };
  if (skill !== undefined) {
    const names = skillset.skills.map(({ name }) => name).join(", ");
    throw new SkillError(
      "option-invalid",
      `'${folder}' has several skills (${names}). Name the folder of one of them.`,
    );
  }
  const [entry] = skillset.entries;
  const why = entry === undefined ? "It has no SKILL.md." : whyAbsent(skillset, entry.name).trim();
  throw new SkillError("skill-not-found", `'${folder}' has no skill that can be used. ${why}`);
}
