import { activateSkill } from "./activate-skill.ts";
import { callSkillTool } from "./call-skill-tool.ts";
import { deactivateSkill } from "./deactivate-skill.ts";
import { readSkillFile } from "./read-skill-file.ts";
import { runSkillScript } from "./run-skill-script.ts";
import { searchSkills } from "./search-skills.ts";

/** All operations. To add one, write a file and add it here. */
export const OPERATIONS = [
  activateSkill,
  readSkillFile,
  callSkillTool,
  runSkillScript,
  searchSkills,
  deactivateSkill,
] as const;

export type OperationId = (typeof OPERATIONS)[number]["id"];
