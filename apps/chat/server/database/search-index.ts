import { sql } from "drizzle-orm";
import { reasonOf } from "../observe/error-reason.ts";
import type { Queries } from "./database.ts";

/**
 * Creates the trigram indexes that a search of chats uses, if the database has the extension and this user may create it.
 * Returns why there are none. Not a migration: a database can gain or lose the extension.
 */
export async function createSearchIndexes(
  queries: Queries,
  { isShared }: { readonly isShared: boolean },
): Promise<string | undefined> {
  try {
    await queries.transaction(async (transaction) => {
      // Several servers may start at the same time.
      if (isShared) await transaction.execute(sql`SELECT pg_advisory_xact_lock(727357)`);
      await transaction.execute(sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`);
      // New entries wait in a list that searches read too, and are sorted in together. A short list keeps both fast.
      await transaction.execute(sql`
        CREATE INDEX IF NOT EXISTS messages_words ON messages USING gin (words gin_trgm_ops)
        WITH (gin_pending_list_limit = 256)`);
      await transaction.execute(sql`
        CREATE INDEX IF NOT EXISTS chats_title_words ON chats USING gin (title_words gin_trgm_ops)
        WITH (gin_pending_list_limit = 256)`);
    });
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
