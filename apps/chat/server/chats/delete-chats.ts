import { inArray, type SQL } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { chats, skillUsage } from "../database/schema.ts";

/** Deletes chats for good, with everything that belongs to them in the database, and returns their ids. */
export async function deleteChats(queries: Queries, which: SQL): Promise<readonly string[]> {
  const deleted = await queries.delete(chats).where(which).returning({ id: chats.id });
  const ids = deleted.map(({ id }) => id);
  if (ids.length > 0) await queries.delete(skillUsage).where(inArray(skillUsage.chatId, ids));
  return ids;
}
