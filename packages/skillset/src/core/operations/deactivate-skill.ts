import { LIMITS } from "../base/limits.ts";
import type { Conversation } from "../session/conversation.ts";
import { type OperationDefinition, stringArgument } from "./operation.ts";

export interface DeactivateInput {
  readonly name: string;
}

export interface DeactivationData {
  readonly name: string;
  readonly wasActive: boolean;
}

export const deactivateSkill: OperationDefinition<"deactivate_skill"> = {
  id: "deactivate_skill",
  title: "Deactivate skill",
  description: "Say that a skill is no longer needed, so that its instructions need not be kept.",
  properties: (skillName) => ({ name: skillName }),
  required: ["name"],
  readOnly: true,
  usesLoadedSkill: false,
  returns: "report",
  isDefault: false,
  read: (given) => ({ name: stringArgument(given, "name") }),
  execute: async (context, { name }, { view }) => {
    const wasActive = await deactivate(context, name);
    view?.active.delete(name);
    const shown = name.slice(0, LIMITS.shown.nameCharacters).toWellFormed();
    return {
      text: wasActive ? `Skill '${shown}' is no longer active.` : `Skill '${shown}' was not active.`,
      data: { name, wasActive },
    };
  },
};

/** Marks a skill as inactive. Returns false if it was not active. */
export async function deactivate(context: Conversation, name: string): Promise<boolean> {
  // Also one that is disabled for now: it would be active again later.
  if (!context.memory.activations.has(name)) return false;
  await context.commit([{ type: "deactivated", name }]);
  context.record({ type: "skill-deactivated", skill: name });
  return true;
}
