import { contextOf } from "./context-of.ts";
import { bindOperations, type OperationOptions } from "./operations/bind-operations.ts";
import type { Session } from "./session.ts";
import type { ModelTool } from "./tool/model-tool.ts";

/** Returns the operations of a session. Empty for an empty skillset. */
export function createOperations(session: Session, options: OperationOptions = {}): readonly ModelTool[] {
  return bindOperations(contextOf(session), options, () => ({}));
}
