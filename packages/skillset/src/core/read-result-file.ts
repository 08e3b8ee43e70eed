import { conversationOf } from "./conversation-of.ts";
import { readAgain } from "./operations/read-skill-file.ts";
import type { Session } from "./session.ts";
import type { ResultFile } from "./tool/result-file.ts";

/**
 * Returns a file of an earlier result with its bytes. A result that was stored as JSON has none, so the file is read
 * again; undefined if it has changed or no longer exists, or without a session.
 */
export async function readResultFile(session: Session | undefined, file: ResultFile): Promise<ResultFile | undefined> {
  // A result that was stored as JSON has no bytes.
  if (file.data !== undefined) return file;
  return session && readAgain(conversationOf(session), file);
}
