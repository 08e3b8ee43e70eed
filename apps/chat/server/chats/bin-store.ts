import { and, desc, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { BinEntry, BinPage } from "../../shared/api.ts";
import type { Database, Queries } from "../database/database.ts";
import { chats } from "../database/schema.ts";
import { changeChats } from "./change-chats.ts";
import { type Cursor, isAfter, microseconds, writeCursor } from "./cursor.ts";
import { deleteChats } from "./delete-chats.ts";
import { storable } from "./storable.ts";

export interface BinStoreOptions {
  /** How long entries stay. */
  readonly days: number;
}

/** The bin: deleted chats. All times are database times. */
export class BinStore {
  readonly #database: Database;
  readonly #queries: Queries;
  readonly #days: number;

  constructor(database: Database, { days }: BinStoreOptions) {
    this.#database = database;
    this.#queries = database.queries;
    this.#days = days;
  }

  /** Returns the newest entries, or those after the cursor. */
  async list(before?: Cursor): Promise<BinPage> {
    const { id, title, deletedAt } = chats;
    const isIn = isNotNull(deletedAt);
    const rows = await this.#queries
      .select({ id, title, time: microseconds(deletedAt), count: COUNT })
      .from(chats)
      .where(and(isIn, isAfter(before, deletedAt, id)))
      .orderBy(desc(deletedAt), desc(id))
      .limit(PAGE + 1);
    const shown = rows.slice(0, PAGE);
    const last = shown.at(-1);
    return {
      entries: shown.map((row) => this.#toEntry(row)),
      total: await this.#queries.$count(chats, isIn),
      ...(rows.length > PAGE && last && { next: writeCursor(last) }),
    };
  }

  #toEntry({ time, ...row }: BinRow): BinEntry {
    const at = Number(time) / 1000;
    const endsAt = new Date(at + this.#days * DAY).toISOString();
    return { ...row, deletedAt: new Date(at).toISOString(), endsAt };
  }

  /** Restores a chat. Returns false if it is not in the bin. */
  async restoreChat(id: string): Promise<boolean> {
    if (id !== storable(id)) return false;
    const isIt = and(eq(chats.id, id), isNotNull(chats.deletedAt));
    return changeChats(this.#database, async (transaction) => {
      const restored = await transaction.update(chats).set({ deletedAt: null }).where(isIt).returning({ id: chats.id });
      return restored.length > 0;
    });
  }

  /** Deletes a chat for good. Returns false if it is not in the bin. */
  async delete(id: string): Promise<boolean> {
    if (id !== storable(id)) return false;
    return changeChats(this.#database, async (transaction) => {
      const deleted = await deleteChats(transaction, sql`${eq(chats.id, id)} AND ${isNotNull(chats.deletedAt)}`);
      return deleted.length > 0;
    });
  }

  /** Deletes all entries for good. `onDeleted` is called with the chats of each batch. Returns the number of entries. */
  async empty(onDeleted: OnDeleted): Promise<number> {
    return this.#deleteAll((deletedAt) => sql`${deletedAt} <= now()`, onDeleted);
  }

  /** Does the same for entries whose time is over. Safe to run on several servers. */
  async sweep(onDeleted: OnDeleted): Promise<number> {
    return this.#deleteAll((deletedAt) => sql`${deletedAt} <= now() - make_interval(days => ${this.#days})`, onDeleted);
  }

  /** In batches, because the embedded database runs on this thread. */
  async #deleteAll(isOver: (deletedAt: SQL) => SQL, onDeleted: OnDeleted): Promise<number> {
    for (let total = 0; ; ) {
      const chatIds = await this.#queries.transaction((transaction) => this.#deleteSome(transaction, isOver));
      if (chatIds.length === 0) return total;
      await onDeleted(chatIds);
      total += chatIds.length;
    }
  }

  async #deleteSome(transaction: Queries, isOver: (deletedAt: SQL) => SQL): Promise<readonly string[]> {
    // Rows that another server is deleting or restoring are left to it.
    const some = sql`(SELECT id FROM chats WHERE ${isOver(sql`deleted_at`)}
      ORDER BY deleted_at LIMIT ${this.#database.canWrite() ? AT_ONCE : 1} FOR UPDATE SKIP LOCKED)`;
    const chatIds = await deleteChats(transaction, inArray(chats.id, some));
    if (chatIds.length > 0) await this.#database.notify("chats", transaction);
    return chatIds;
  }
}

type OnDeleted = (chatIds: readonly string[]) => Promise<void>;

type BinRow = Omit<BinEntry, "deletedAt" | "endsAt"> & { readonly time: string };

const COUNT = sql<number>`(SELECT count(*)::integer FROM messages WHERE chat_id = chats.id AND is_shown)`;

const PAGE = 50;
const AT_ONCE = 50;
const DAY = 86_400_000;
