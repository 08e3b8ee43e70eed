import { activateSkill, type SkillActivated } from "./activate-skill.ts";
import { callSkillTool, type ToolCalled } from "./call-skill-tool.ts";
import { deactivateSkill, type SkillDeactivated } from "./deactivate-skill.ts";
import { type FileRead, readSkillFile } from "./read-skill-file.ts";

/** Every operation there is. A new one is a file, and a line in each of these two lists. */
export const OPERATIONS = [activateSkill, readSkillFile, callSkillTool, deactivateSkill] as const;
export type OperationEvent = SkillActivated | FileRead | ToolCalled | SkillDeactivated;

export type OperationId = (typeof OPERATIONS)[number]["id"];
