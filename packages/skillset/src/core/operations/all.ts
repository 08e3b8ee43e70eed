import { activateSkill } from "./activate-skill.ts";
import { callSkillTool } from "./call-skill-tool.ts";
import { deactivateSkill } from "./deactivate-skill.ts";
import type { OperationDefinition } from "./operation.ts";
import type { OperationId } from "./operation-data.ts";
import { readSkillFile } from "./read-skill-file.ts";
import { runSkillScript } from "./run-skill-script.ts";
import { searchSkills } from "./search-skills.ts";

/** All operations, in the order in which models see them. */
export const OPERATIONS: { readonly [Id in OperationId]: OperationDefinition<Id> } = {
  activate_skill: activateSkill,
  read_skill_file: readSkillFile,
  call_skill_tool: callSkillTool,
  run_skill_script: runSkillScript,
  search_skills: searchSkills,
  deactivate_skill: deactivateSkill,
};

export const OPERATION_IDS: readonly OperationId[] = Object.keys(OPERATIONS).filter(isOperationId);

/** The operations that a model gets unless the host chooses. */
export const DEFAULT_OPERATIONS: readonly OperationId[] = OPERATION_IDS.filter((id) => OPERATIONS[id].isDefault);

export function isOperationId(value: string): value is OperationId {
  return Object.hasOwn(OPERATIONS, value);
}
