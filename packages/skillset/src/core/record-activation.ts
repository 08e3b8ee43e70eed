import { contextOf } from "./context-of.ts";
import { recordActivated } from "./operations/activate-skill.ts";
import type { Session } from "./session.ts";
import { byteLength } from "./text/bytes.ts";
import { sha256 } from "./text/sha256.ts";

/** A skill whose instructions a model has read by itself. */
export interface ReadInstructions {
  readonly name: string;
  /** The instructions as `skill.instructions()` returns them. */
  readonly instructions: string;
}

/**
 * Records that a model has a skill's instructions which it read past the session, as an agent with file access does: the
 * skill is active from then on. Its tokens count towards the session's budget, but nothing is refused any more.
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
