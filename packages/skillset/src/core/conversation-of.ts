import { SkillError } from "./base/errors.ts";
import type { Conversation } from "./session/conversation.ts";
import type { Session } from "./session.ts";
import type { Skillset } from "./skillset.ts";

/**
 * The key of a session's conversation. All copies of this module use the same: a session that another copy made must
 * never count as no session.
 */
export const CONVERSATION: unique symbol = Symbol.for("skillset.conversation");

/** Returns the conversation of a session, for the modules of this package only. Throws for anything else. */
export function conversationOf(session: Session): Conversation<Skillset> {
  const conversation = findConversation(session);
  if (conversation === undefined) throw new SkillError("option-invalid", `Not a session: ${FIX}`);
  return conversation;
}

/** Throws for anything but a session. */
export function checkSession(session: Session): void {
  conversationOf(session);
}

/** Returns the sessions among these, each once. Throws for anything else, except undefined. */
export function sessionsOf(values: Iterable<Session | undefined>): ReadonlySet<Session> {
  const sessions = [...values].filter((session) => session !== undefined);
  for (const session of sessions) checkSession(session);
  return new Set(sessions);
}

/**
 * Returns the session, or undefined for nothing or an object that only has a conversation's id. Throws for anything else,
 * such as a copy or a proxy of a session, whose skills would otherwise restrict nothing.
 */
export function sessionOf(value: object | undefined): Session | undefined {
  if (value === undefined) return undefined;
  if (findConversation(value) !== undefined) return value as Session;
  if (isId(value)) return undefined;
  throw new SkillError("option-invalid", `Neither a session nor an object with an 'id': ${FIX}`);
}

const FIX = "create one with `skillset.session()`, and pass it as it is.";

/** The getter returns nothing for a proxy, and for an object that has a session as its prototype. */
function findConversation(value: unknown): Conversation<Skillset> | undefined {
  return typeof value === "object" && value !== null ? (value as Partial<Session>)[CONVERSATION] : undefined;
}

function isId(value: unknown): boolean {
  if (typeof value !== "object" || value === null || "checkTool" in value) return false;
  return "id" in value && typeof value.id === "string";
}
