import { conversationOf } from "./conversation-of.ts";
import { mayRestrictHost, requireHostCall } from "./session/check-call.ts";
import type { Session } from "./session.ts";

/** Whether the session might restrict the host's tools. If not, they need not be wrapped. */
export function mayRestrict(session: Session): boolean {
  return mayRestrictHost(conversationOf(session));
}

/** Throws if the active skills do not allow a call of one of the host's tools. The message is for the model. */
export function requireTool(session: Session, tool: string, input: unknown): void {
  requireHostCall(conversationOf(session), tool, input);
}
