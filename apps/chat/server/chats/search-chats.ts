import { and, desc, inArray, isNull } from "drizzle-orm";
import type { Database, Queries } from "../database/database.ts";
import { chats } from "../database/schema.ts";
import { ApiFailure } from "../http/api-failure.ts";
import { fold } from "./message-words.ts";
import { scanMessages, scanTitles } from "./scan-chats.ts";
import { findIndexed } from "./search-index.ts";
import { storable } from "./storable.ts";

/** The query is cut to this many characters. */
const LONGEST_QUERY = 200;

/** The maximum number of chats that a search returns. */
const MOST_CHATS = 500;

export interface SearchOptions {
  /** Cancels the search, for example when the client disconnects. */
  readonly signal?: AbortSignal;
  /** How long the search may take. */
  readonly milliseconds?: number;
}

export interface FoundChats {
  readonly rows: readonly (typeof chats.$inferSelect)[];
  /** The search reached its limit of time or chats. */
  readonly isPartial: boolean;
}

/** Finds chats whose title or messages contain a text, with an index or by reading them all. One search runs at a time. */
export class ChatSearch {
  readonly #database: Database;
  readonly #queries: Queries;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
    this.#queries = database.queries;
  }

  async find(query: string, options: SearchOptions = {}): Promise<FoundChats> {
    if (this.#waiting >= MOST_WAITING) {
      throw new ApiFailure(503, "too-many-searches", "Too many searches are waiting. Try again in a moment.", {
        retryAfter: 1,
      });
    }
    this.#waiting++;
    const found = this.#last.then(() => this.#search(query, options)).finally(() => this.#waiting--);
    this.#last = found.catch(() => {});
    return found;
  }

  async #search(query: string, { signal, milliseconds = LONGEST_SEARCH }: SearchOptions): Promise<FoundChats> {
    signal?.throwIfAborted();
    const end = performance.now() + milliseconds;
    const text = fold(storable(query)).slice(0, LONGEST_QUERY).toWellFormed();
    const isIndexed = this.#database.searchProblem === undefined;
    const indexed = isIndexed
      ? await findIndexed(this.#database, text, { most: MOST_CHATS + 1, milliseconds: milliseconds / 2 })
      : undefined;
    signal?.throwIfAborted();
    const { ids, isPartial } = indexed ? { ids: indexed, isPartial: false } : await this.#scan(text, end, signal);
    const isHit = and(inArray(chats.id, [...ids]), isNull(chats.deletedAt));
    const rows = await this.#queries
      .select()
      .from(chats)
      .where(isHit)
      .orderBy(desc(chats.updatedAt), desc(chats.id))
      .limit(MOST_CHATS + 1);
    return { rows: rows.slice(0, MOST_CHATS), isPartial: isPartial || rows.length > MOST_CHATS };
  }

  /** Reads titles, then messages, until there are enough chats or the time is over. */
  async #scan(text: string, end: number, signal: AbortSignal | undefined) {
    // A literal regular expression is matched in linear time; LIKE and position() try every start again.
    const pattern = `***=${text}`;
    const ids = new Set<string>();
    for (const scan of [scanTitles, scanMessages]) {
      for await (const id of scan(this.#queries, pattern)) {
        if (id !== undefined) ids.add(id);
        signal?.throwIfAborted();
        if (ids.size >= MOST_CHATS || performance.now() > end) return { ids: [...ids], isPartial: true };
      }
    }
    return { ids: [...ids], isPartial: false };
  }
}

const MOST_WAITING = 50;
const LONGEST_SEARCH = 5_000;
