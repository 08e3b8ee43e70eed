import { contextOf } from "./context-of.ts";
import { bindOperations, type OperationOptions, type SkillOperation } from "./operations/bind-operations.ts";
import type { Session } from "./session.ts";

/** The operations of a session; none for an empty set. */
export function createOperations(session: Session, options: OperationOptions = {}): readonly SkillOperation[] {
  return bindOperations(contextOf(session), options, () => ({}));
}
