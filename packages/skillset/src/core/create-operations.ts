import { conversationOf } from "./conversation-of.ts";
import { bindOperations, type OperationOptions } from "./operations/bind-operations.ts";
import type { OperationTool } from "./operations/model-tool.ts";
import type { Session } from "./session.ts";

/** Returns the operations of a session. Empty for an empty skillset. */
export function createOperations(session: Session, options: OperationOptions = {}): readonly OperationTool[] {
  return bindOperations(conversationOf(session), options);
}
