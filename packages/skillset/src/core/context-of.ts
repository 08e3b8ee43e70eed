import type { SessionContext } from "./session/context.ts";
import type { Session } from "./session.ts";

const CONTEXTS = new WeakMap<Session, SessionContext>();

/** Makes a session's inner parts known to the modules of this package, and to nobody else. */
export function keepContext(session: Session, context: SessionContext): void {
  CONTEXTS.set(session, context);
}

/** What the operations and turns of a session share. */
export function contextOf(session: Session): SessionContext {
  const context = CONTEXTS.get(session);
  if (context === undefined) throw new TypeError("This is not a session that `skillset.session()` made.");
  return context;
}

/** Whether it is a session, and not just an object that names one. */
export function isSession(value: object | undefined): value is Session {
  return value !== undefined && CONTEXTS.has(value as Session);
}
