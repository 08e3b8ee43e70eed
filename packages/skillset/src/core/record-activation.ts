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
}

/**
 * Records that the model has read a skill's instructions without the session, as an agent with file access does. The
 * skill becomes active. Its tokens count towards the session's budget, but the budget is not enforced here.
 */
export function recordActivation(session: Session, { name, instructions }: ReadInstructions): Promise<void> {
  const context = contextOf(session);
  const { memory, countTokens } = context;
  return context.follow({ operation: "activate", skill: name, content: {} }, async () => {
    const digest = await sha256(instructions);
    const tokens = countTokens(instructions);
    await memory.commit(() => {
      memory.count(tokens);
      memory.activate({ name, digest, by: "model" });
    });
    const bytes = byteLength(instructions);
    recordActivated(context, { skill: name, by: "model", digest, bytes, tokens, truncated: false, repeated: false });
  });
}
