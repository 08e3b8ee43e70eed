import type { RuledSkill } from "./allowed-tools/decide-call.ts";
import { contextOf } from "./context-of.ts";
import { recordActivated } from "./operations/activate-skill.ts";
import type { Session } from "./session.ts";
import { byteLength } from "./text/bytes.ts";
import { sha256 } from "./text/sha256.ts";

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

/**
 * Records that the model has read a skill's instructions without the session, as an agent with file access does. The
 * skill becomes active. Its tokens count towards the session's budget, but the budget is not enforced here.
 */
export function recordActivation(session: Session, { name, instructions, rules }: ReadInstructions): Promise<void> {
  const context = contextOf(session);
  const { memory, countTokens } = context;
  noteRules(session, name, rules);
  return context.follow({ operation: "activate", skill: name, content: {} }, async () => {
    const digest = await sha256(instructions);
    const tokens = countTokens(instructions);
    await memory.commit([{ type: "activated", skill: { name, digest, by: "model" }, tokens }]);
    const bytes = byteLength(instructions);
    recordActivated(context, { skill: name, by: "model", digest, bytes, tokens, truncated: false, repeated: false });
  });
}

/** Applies a skill's rules while it is active in the session, whose set may have another skill with that name. */
export function noteRules(session: Session, name: string, rules: SkillRules | undefined): void {
  const { readRules, skillset } = contextOf(session);
  if (rules !== undefined) readRules.note({ name, ...rules }, skillset.get(name));
}
