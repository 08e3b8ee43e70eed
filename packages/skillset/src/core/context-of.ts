import { SkillError } from "./base/errors.ts";
import { onePerProcess } from "./base/one-per-process.ts";
import type { SessionContext } from "./session/context.ts";
import type { Session } from "./session.ts";

/** Shared by all copies of this module: a session that another copy made must never count as no session. */
const CONTEXTS = onePerProcess("sessions", () => new WeakMap<object, SessionContext>());

/** Makes a session's internals available to the modules of this package only. */
export function keepContext(session: Session, context: SessionContext): void {
  CONTEXTS.set(session, context);
}

/** Returns the state that a session's operations and turns share. */
export function contextOf(session: Session): SessionContext {
  const context = CONTEXTS.get(session);
  if (context === undefined) throw new SkillError("option-invalid", `Not a session: ${FIX}`);
  return context;
}

/**
 * Returns the session, or undefined for nothing or an object that only has a conversation's id. Throws for anything else,
 * such as a copy or a proxy of a session, whose skills would otherwise restrict nothing.
 */
export function sessionOf(value: object | undefined): Session | undefined {
  if (value === undefined) return undefined;
  if (CONTEXTS.has(value)) return value as Session;
  if (isId(value)) return undefined;
  throw new SkillError("option-invalid", `Neither a session nor an object with an 'id': ${FIX}`);
}

const FIX = "create one with `skillset.session()`, and pass it as it is.";

function isId(value: unknown): boolean {
  if (typeof value !== "object" || value === null || "checkTool" in value) return false;
  return "id" in value && typeof value.id === "string";
}
