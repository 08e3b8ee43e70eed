import type { SessionContext } from "./session/context.ts";
import type { Session } from "./session.ts";

const CONTEXTS = new WeakMap<Session, SessionContext>();

/** Makes a session's internals available to the modules of this package only. */
export function keepContext(session: Session, context: SessionContext): void {
  CONTEXTS.set(session, context);
}

/** Returns the state that a session's operations and turns share. */
export function contextOf(session: Session): SessionContext {
  const context = CONTEXTS.get(session);
  if (context === undefined) throw new TypeError("Not a session: create one with `skillset.session()`.");
  return context;
}

/** Whether the value is a session, and not only an object with a session's id. */
export function isSession(value: object | undefined): value is Session {
  return value !== undefined && CONTEXTS.has(value as Session);
}
