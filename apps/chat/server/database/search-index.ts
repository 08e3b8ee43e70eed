import { sql } from "drizzle-orm";
import { reasonOf } from "../observe/error-reason.ts";
import type { Queries } from "./database.ts";

export interface SearchIndexOptions {
  /** Whether several servers may start at the same time. */
  readonly isShared: boolean;
  /** Says whether the disk has room for this many more bytes. */
  readonly hasRoom?: (bytes: number) => boolean;
}

/**
 * Creates the trigram indexes that a search of chats uses, if the database has the extension and this user may create it.
 * Returns why there are none. Not a migration: a database can gain or lose the extension.
 */
export async function createSearchIndexes(
  queries: Queries,
  { isShared, hasRoom = () => true }: SearchIndexOptions,
): Promise<string | undefined> {
  try {
    // Creating an index locks its table, even if the index exists.
    if (await hasIndexes(queries)) return undefined;
    if (!hasRoom(await sizeOfTables(queries))) return "not enough free disk space to build it";
    // New entries wait in a list that searches read too, and are sorted in together. A short list keeps both fast.
    const statements = [
      sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`,
      sql`CREATE INDEX IF NOT EXISTS chats_title_words ON chats USING gin (title_words gin_trgm_ops)
        WITH (gin_pending_list_limit = 256)`,
      sql`CREATE INDEX IF NOT EXISTS messages_words ON messages USING gin (words gin_trgm_ops)
        WITH (gin_pending_list_limit = 256)`,
    ];
    for (const statement of statements) {
      // One at a time: a transaction that holds both tables could wait for a message that waits for it.
      await queries.transaction(async (transaction) => {
        if (isShared) await transaction.execute(sql`SELECT pg_advisory_xact_lock(727357)`);
        await transaction.execute(statement);
      });
    }
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

async function hasIndexes(queries: Queries): Promise<boolean> {
  const { rows } = (await queries.execute(sql`
    SELECT to_regclass('chats_title_words') IS NOT NULL AND to_regclass('messages_words') IS NOT NULL AS found`)) as unknown as {
    rows: { found: boolean }[];
  };
  return rows[0]?.found === true;
}

async function sizeOfTables(queries: Queries): Promise<number> {
  const { rows } = (await queries.execute(sql`
    SELECT (pg_table_size('chats') + pg_table_size('messages'))::float8 AS bytes`)) as unknown as {
    rows: { bytes: number }[];
  };
  return rows[0]?.bytes ?? 0;
}
