import { SkillError } from "../base/errors.ts";
import { oneAfterTheOther } from "../base/in-order.ts";
import { DEFAULT_OPERATIONS } from "../operations/all.ts";
import { bindOperations, type OperationOptions } from "../operations/bind-operations.ts";
import { callSkillTool, callSkillToolForModel } from "../operations/call-skill-tool.ts";
import type { ModelTool } from "../operations/model-tool.ts";
import type { ModelView } from "../operations/operation.ts";
import type { Conversation } from "../session/conversation.ts";
import type { Skill, SkillTool } from "../skill/skill.ts";
import { aroundCalls, type PreparedTool, toModelTool } from "../tool/model-tool.ts";
import { missingFunction, toToolName } from "../tool/tool-name.ts";

/**
 * The default operations of a turn. Skill names are not an enum, and tools of toolsets, which are known only once a skill
 * is active, are called with an operation, so that the list is stable.
 */
export function turnOperations(given: OperationOptions = {}, hasToolsets = false): OperationOptions {
  return {
    maxEnumNames: 0,
    ...given,
    include: given.include ?? (hasToolsets ? [...WITHOUT_CALL, CALL] : WITHOUT_CALL),
  };
}

const CALL = callSkillTool.id;

/** Tools of skills in code are separate functions, so no operation needs to call them. */
const WITHOUT_CALL = DEFAULT_OPERATIONS.filter((id) => id !== CALL);

/**
 * Whether tools of skills in code are separate functions. If the host includes `call_skill_tool`, the model calls them
 * through it instead.
 */
export function hasOwnTools({ include = [] }: OperationOptions = {}): boolean {
  return !include.includes(CALL);
}

/** Creates all functions of a session's skills. `taken` are the names of the host's functions. */
export function createTurnTools(
  context: Conversation,
  options: OperationOptions,
  { taken = [], ownTools }: { readonly taken?: readonly string[] | undefined; readonly ownTools: boolean },
  view: ModelView,
): readonly ModelTool[] {
  const operations = bindOperations(context, options, { use: () => ({ view }) });
  const clash = operations.find(({ name }) => taken.includes(name));
  if (clash !== undefined) {
    const message = `One of your tools has the same name as the operation '${clash.name}'. Rename the operation with 'aliases'.`;
    throw new SkillError("option-invalid", message);
  }
  const inOrder = oneAfterTheOther();
  const tools = operations.map((operation): ModelTool => {
    if (operation.id !== "activate_skill") return operation;
    // Activations run one after the other, so that a skill requested twice in one step is sent once.
    return aroundCalls(operation, (execute) => (input, options) => inOrder(() => execute(input, options)));
  });
  if (!ownTools) return tools;
  const names = new Set([...taken, ...tools.map(({ name }) => name)]);
  for (const skill of context.skillset.skills) {
    for (const tool of skill.tools) tools.push(toSkillTool(context, skill, tool, names, view));
  }
  return tools;
}

function toSkillTool(
  context: Conversation,
  skill: Skill,
  tool: SkillTool,
  names: Set<string>,
  { active }: ModelView,
): PreparedTool {
  const name = toToolName(`${skill.name}__${tool.name}`, names);
  names.add(name);
  const isAvailable = (): boolean => active.has(skill.name);
  const call = async (input: unknown, signal: AbortSignal | undefined) => {
    if (!isAvailable()) throw new SkillError("tool-not-found", missingFunction(name));
    return callSkillToolForModel(context, skill.name, tool.name, input, { signal });
  };
  return toModelTool(tool, call, { name, skill: skill.name, isAvailable });
}
