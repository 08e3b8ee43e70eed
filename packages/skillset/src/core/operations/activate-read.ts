import type { RuledSkill } from "../allowed-tools/decide-call.ts";
import type { Conversation } from "../session/conversation.ts";
import { byteLength } from "../text/bytes.ts";
import { sha256 } from "../text/sha256.ts";
import { recordActivated } from "./activate-skill.ts";

/** A skill whose instructions the model has read without the session. */
export interface ReadInstructions {
  readonly name: string;
  /** The instructions as `skill.instructions()` returns them. */
  readonly instructions: string;
  /**
   * What the skill allows while it is active.
   * @default the rules of the skill with this name in the session's set
   */
  readonly rules?: SkillRules | undefined;
}

/** What a skill allows while it is active: its `allowed-tools`, and the fields that include `disallowed-tools`. */
export type SkillRules = Omit<RuledSkill, "name">;

/** Marks a skill as active whose instructions the model has read without the conversation. */
export function activateRead(
  conversation: Conversation,
  { name, instructions, rules }: ReadInstructions,
): Promise<void> {
  if (rules !== undefined) conversation.noteRules({ name, ...rules });
  return conversation.follow({ operation: "activate", skill: name, content: {} }, async () => {
    const digest = await sha256(instructions);
    const tokens = conversation.settings.countTokens(instructions);
    await conversation.commit([{ type: "activated", skill: { name, digest, by: "model" }, tokens }]);
    const bytes = byteLength(instructions);
    const event = { skill: name, by: "model", digest, bytes, tokens, truncated: false, repeated: false } as const;
    recordActivated(conversation, event);
  });
}
