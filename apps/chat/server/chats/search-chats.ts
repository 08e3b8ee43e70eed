import { setImmediate as nextTurn } from "node:timers/promises";
import { and, desc, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { chats, messages } from "../database/schema.ts";
import { ApiFailure } from "../http/api-failure.ts";
import { fold } from "./message-words.ts";
import { storable } from "./storable.ts";

/** The query is cut to this many characters. */
const LONGEST_QUERY = 200;

/** The maximum number of chats in a list. */
export const MOST_CHATS = 500;

export interface SearchOptions {
  /** Cancels the search, for example when the client disconnects. */
  readonly signal?: AbortSignal;
}

/**
 * Finds chats whose title or messages contain a text. The embedded database runs on this thread, so a search reads rows
 * in bounded batches and lets other work run in between. One search runs at a time.
 */
export class ChatSearch {
  readonly #queries: Queries;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async find(query: string, { signal }: SearchOptions = {}): Promise<readonly (typeof chats.$inferSelect)[]> {
    if (this.#waiting >= MOST_WAITING) {
      throw new ApiFailure(503, "too-many-searches", "Too many searches are waiting. Try again in a moment.", {
        retryAfter: 1,
      });
    }
    this.#waiting++;
    const found = this.#last.then(() => this.#search(query, signal)).finally(() => this.#waiting--);
    this.#last = found.catch(() => {});
    return found;
  }

  async #search(query: string, signal: AbortSignal | undefined) {
    // A literal regular expression is matched in linear time; LIKE and position() try every start again.
    const pattern = `***=${fold(storable(query)).slice(0, LONGEST_QUERY).toWellFormed()}`;
    const ids = new Set<string>();
    for (const hits of [this.#inTitles(pattern), this.#inMessages(pattern)]) {
      for await (const id of hits) {
        if (id !== undefined) ids.add(id);
        if (ids.size >= MOST_CHATS) break;
        signal?.throwIfAborted();
      }
    }
    if (ids.size === 0) return [];
    return this.#queries
      .select()
      .from(chats)
      .where(and(inArray(chats.id, [...ids]), isNull(chats.deletedAt)))
      .orderBy(desc(chats.updatedAt), desc(chats.id))
      .limit(MOST_CHATS);
  }

  /** Newest first; undefined after each batch. */
  async *#inTitles(pattern: string): AsyncGenerator<string | undefined> {
    const { id, updatedAt, titleWords } = chats;
    for (let before: string | undefined; ; ) {
      // Compared in the database, because its times are more precise than JavaScript's.
      const isOlder = sql`(updated_at, id) < (SELECT updated_at, id FROM chats WHERE id = ${before ?? ""})`;
      // Matched outside the limited subquery: next to a sort, the database would match every row.
      const batch = this.#queries
        .select({ id, titleWords })
        .from(chats)
        .where(and(isNull(chats.deletedAt), before === undefined ? undefined : isOlder))
        .orderBy(desc(updatedAt), desc(id))
        .limit(TITLES_AT_ONCE)
        .as("batch");
      const isHit = sql<boolean>`${batch.titleWords} ~ ${pattern}`;
      const rows = await this.#queries.select({ id: batch.id, isHit }).from(batch);
      for (const row of rows) if (row.isHit) yield row.id;
      before = rows.at(-1)?.id;
      if (before === undefined) return;
      await nextTurn();
      yield undefined;
    }
  }

  async *#inMessages(pattern: string): AsyncGenerator<string | undefined> {
    const { position, chatId, words } = messages;
    for (let before: number | undefined; ; ) {
      const batch = this.#queries
        .select({ position, chatId, words })
        .from(messages)
        .where(before === undefined ? undefined : lt(position, before))
        .orderBy(desc(position))
        .limit(MESSAGES_AT_ONCE)
        .as("batch");
      const isHit = sql<boolean>`${chats.deletedAt} IS NULL AND ${batch.words} ~ ${pattern}`;
      const rows = await this.#queries
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
}

const MOST_WAITING = 50;
const TITLES_AT_ONCE = 500;
/** At most about a megabyte of text, which takes some ten milliseconds. */
const MESSAGES_AT_ONCE = 50;
