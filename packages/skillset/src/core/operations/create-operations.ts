import type { Session } from "../session.ts";
import { contextOf } from "../session-contexts.ts";
import { bindOperations, type OperationOptions, type SkillOperation } from "./bind-operations.ts";

/** The operations of a session; none for an empty set. */
export function createOperations(session: Session, options: OperationOptions = {}): readonly SkillOperation[] {
  return bindOperations(contextOf(session), options, () => ({}));
}
