import { activateSkill } from "./activate-skill.ts";
import { callSkillTool } from "./call-skill-tool.ts";
import { deactivateSkill } from "./deactivate-skill.ts";
import { readSkillFile } from "./read-skill-file.ts";

/** Every operation there is. A new one is a file, and a line in this list. */
export const OPERATIONS = [activateSkill, readSkillFile, callSkillTool, deactivateSkill] as const;

export type OperationId = (typeof OPERATIONS)[number]["id"];
