import type { ActivateInput, ActivationData } from "./activate-skill.ts";
import type { CallData, CallInput } from "./call-skill-tool.ts";
import type { DeactivateInput, DeactivationData } from "./deactivate-skill.ts";
import type { FileData, ReadInput } from "./read-skill-file.ts";
import type { RunInput, ScriptData } from "./run-skill-script.ts";
import type { SearchData, SearchInput } from "./search-skills.ts";

/** What the result of each operation has for code. */
export interface OperationData {
  activate_skill: ActivationData;
  read_skill_file: FileData;
  call_skill_tool: CallData;
  run_skill_script: ScriptData;
  search_skills: SearchData;
  deactivate_skill: DeactivationData;
}

export type OperationId = keyof OperationData;

/** The arguments of each operation, once they are read. */
export interface OperationInput {
  activate_skill: ActivateInput;
  read_skill_file: ReadInput;
  call_skill_tool: CallInput;
  run_skill_script: RunInput;
  search_skills: SearchInput;
  deactivate_skill: DeactivateInput;
}
