import { conversationOf } from "./conversation-of.ts";
import { readAgain } from "./operations/read-skill-file.ts";
import type { Session } from "./session.ts";
import type { ResultFile } from "./tool/result-file.ts";

/**
 * Returns a file of an earlier result with its bytes. A result that was stored as JSON has none, so the file is read
 * again; undefined if it has changed or no longer exists.
 */
export function readResultFile(session: Session, file: ResultFile): Promise<ResultFile | undefined> {
  return readAgain(conversationOf(session), file);
}
