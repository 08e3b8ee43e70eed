import { setImmediate as nextTurn } from "node:timers/promises";
import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { chats, messages } from "../database/schema.ts";

// The embedded database runs on this thread. Scans therefore read rows in bounded batches and let other work run in
// between. They yield the chats that match a pattern, newest first, and undefined after each batch.

/** Scans all titles. */
export async function* scanTitles(queries: Queries, pattern: string): AsyncGenerator<string | undefined> {
  const { id, updatedAt, titleWords } = chats;
  for (let before: string | undefined; ; ) {
    // Compared in the database, because its times are more precise than JavaScript's.
    const isOlder = sql`(updated_at, id) < (SELECT updated_at, id FROM chats WHERE id = ${before ?? ""})`;
    // Matched outside the limited subquery: next to a sort, the database would match every row.
    const batch = queries
      .select({ id, titleWords })
      .from(chats)
      .where(and(isNull(chats.deletedAt), before === undefined ? undefined : isOlder))
      .orderBy(desc(updatedAt), desc(id))
      .limit(TITLES_AT_ONCE)
      .as("batch");
    const isHit = sql<boolean>`${batch.titleWords} ~ ${pattern}`;
    const rows = await queries.select({ id: batch.id, isHit }).from(batch);
    for (const row of rows) if (row.isHit) yield row.id;
    before = rows.at(-1)?.id;
    if (before === undefined) return;
    await nextTurn();
    yield undefined;
  }
}

/** Scans all messages that are shown. */
export async function* scanMessages(queries: Queries, pattern: string): AsyncGenerator<string | undefined> {
  const { position, chatId, words, isShown } = messages;
  for (let before: number | undefined; ; ) {
    const batch = queries
      .select({ position, chatId, words, isShown })
      .from(messages)
      .where(before === undefined ? undefined : lt(position, before))
      .orderBy(desc(position))
      .limit(MESSAGES_AT_ONCE)
      .as("batch");
    const isHit = sql<boolean>`${chats.deletedAt} IS NULL AND ${batch.isShown} AND ${batch.words} ~ ${pattern}`;
    const rows = await queries
      .select({ position: batch.position, chatId: batch.chatId, isHit })
      .from(batch)
      .innerJoin(chats, eq(chats.id, batch.chatId));
    for (const row of rows) if (row.isHit) yield row.chatId;
    if (rows.length === 0) return;
    before = Math.min(...rows.map((row) => row.position));
    await nextTurn();
    yield undefined;
  }
}

const TITLES_AT_ONCE = 500;
/** At most about a megabyte of text, which takes some ten milliseconds. */
const MESSAGES_AT_ONCE = 50;
