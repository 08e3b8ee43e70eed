import { outputsOf } from "skillset/scripts";
import type { AttachmentStore } from "../attachments/attachment-store.ts";
import type { Database } from "../database/database.ts";
import type { ChatSkills } from "./chat-skills.ts";

export interface RemoveFilesOptions {
  readonly database: Pick<Database, "notify">;
  readonly skills: Pick<ChatSkills, "registry" | "scripts"> | undefined;
  /** With it, contents of attached files that nothing refers to anymore are removed too. */
  readonly attachments?: Pick<AttachmentStore, "sweepContents"> | undefined;
}

/** Removes the files of scripts of deleted chats, here and on the other servers. */
export async function removeFiles(
  chatIds: readonly string[],
  { attachments, database, skills }: RemoveFilesOptions,
): Promise<void> {
  for (const id of chatIds) await removeOwnFiles(id, skills);
  for (let start = 0; start < chatIds.length; start += MOST_NOTIFIED) {
    await database.notify(`removed ${chatIds.slice(start, start + MOST_NOTIFIED).join(" ")}`);
  }
  await attachments?.sweepContents();
}

/** Removes the files of a deleted chat on this server. */
export async function removeOwnFiles(chatId: string, skills: RemoveFilesOptions["skills"]): Promise<void> {
  // A script may take a moment to end after its answer, and could write files until then.
  await skills?.scripts.ended(chatId);
  if (skills !== undefined) outputsOf(skills.registry.current, chatId)?.remove();
}

/** A notice has at most 8,000 bytes. */
const MOST_NOTIFIED = 100;
