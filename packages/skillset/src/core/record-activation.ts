import { conversationOf } from "./conversation-of.ts";
import { activateRead, type ReadInstructions } from "./operations/activate-read.ts";
import type { Session } from "./session.ts";

/**
 * Records that the model has read a skill's instructions without the session, as an agent with file access does. The
 * skill becomes active. Its tokens count towards the session's budget, but the budget is not enforced here.
 */
export function recordActivation(session: Session, read: ReadInstructions): Promise<void> {
  return activateRead(conversationOf(session), read);
}
