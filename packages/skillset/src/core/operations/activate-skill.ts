import type { CallHooks } from "../script/script.ts";
import type { Activation } from "../session/activation.ts";
import type { Conversation } from "../session/conversation.ts";
import type { LedgerEvent } from "../session/ledger.ts";
import type { ActivateOptions } from "../session/options.ts";
import { byteLength } from "../text/bytes.ts";
import { type OperationDefinition, stringArgument } from "./operation.ts";

export interface ActivateInput {
  readonly name: string;
}

export type ActivationData = Omit<Activation, "text">;

export const activateSkill: OperationDefinition<"activate_skill"> = {
  id: "activate_skill",
  title: "Activate skill",
  description: "Load the full instructions of an available skill. Do this before you use a skill.",
  properties: (skillName) => ({ name: skillName }),
  required: ["name"],
  readOnly: true,
  usesLoadedSkill: false,
  returns: "skill-text",
  isDefault: true,
  rule: (name) => `Call \`${name}\` with the skill's name, then follow the instructions that it returns.`,
  read: (given) => ({ name: stringArgument(given, "name") }),
  execute: async (context, { name }, { signal, view, scripts }) => {
    const { text, ...data } = await activate(context, name, { by: "model", signal, held: view?.held, scripts });
    // The result of an aborted call reaches no request.
    if (view !== undefined && !signal?.aborted) {
      view.held = [...view.held, text];
      view.active.add(name);
    }
    return { text, data };
  },
};

interface ActivateUse extends ActivateOptions {
  readonly held?: readonly string[] | undefined;
  readonly scripts?: CallHooks | undefined;
}

/** Returns a skill's instructions and marks the skill as active. */
export function activate(context: Conversation, name: string, options: ActivateUse = {}): Promise<Activation> {
  const { by = "model", arguments: words, signal, held, scripts } = options;
  const content = words === undefined ? {} : { "skillset.activation.arguments": words };
  return context.follow({ operation: "activate", skill: name, content }, async () => {
    signal?.throwIfAborted();
    const activation = await context.disclose(context.find(name, by), { arguments: words, signal, held, scripts });
    const { digest, truncated, alreadyActive: repeated, tokens } = activation;
    // The conversation keeps instructions that it already has, with their arguments.
    const filled = words ?? (repeated ? context.memory.active.get(name)?.arguments : undefined);
    context.memory.requireBudget(name, tokens);
    const skill = { name, digest, by, ...(filled !== undefined && { arguments: filled }) };
    await context.commit([{ type: "activated", skill, tokens }]);
    const bytes = byteLength(activation.text);
    recordActivated(context, { skill: name, by, digest, bytes, tokens, truncated, repeated });
    return activation;
  });
}

type SkillActivated = Extract<LedgerEvent, { readonly type: "skill-activated" }>;

/** Adds an activation to the ledger and to the telemetry. */
export function recordActivated(context: Conversation, event: Omit<SkillActivated, "type">): void {
  context.record(
    { type: "skill-activated", ...event },
    {
      "skillset.activation.by": event.by,
      "skillset.activation.tokens": event.tokens,
      "skillset.activation.bytes": event.bytes,
      "skillset.activation.truncated": event.truncated,
      "skillset.activation.repeated": event.repeated,
    },
  );
}
