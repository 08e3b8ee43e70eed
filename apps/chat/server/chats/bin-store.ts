import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { BinEntry, BinPage } from "../../shared/api.ts";
import type { Database, Queries } from "../database/database.ts";
import { chats, replacements } from "../database/schema.ts";
import type { AnswerLeases } from "./answer-leases.ts";
import { changeChats } from "./change-chats.ts";
import { chatTitle, firstMessage } from "./chat-title.ts";
import { type Cursor, isAfter, microseconds, writeCursor } from "./cursor.ts";
import { deleteChats } from "./delete-chats.ts";
import { isInBin, putBack } from "./replace-messages.ts";
import { storable } from "./storable.ts";

export interface BinStoreOptions {
  /** How long entries stay. */
  readonly days: number;
  readonly leases: Pick<AnswerLeases, "stateOf">;
}

/**
 * The bin: deleted chats, and messages that were replaced. The replaced messages of a deleted chat belong to that chat,
 * and are listed again when it is restored. All times are database times.
 */
export class BinStore {
  readonly #database: Database;
  readonly #queries: Queries;
  readonly #days: number;
  readonly #leases: BinStoreOptions["leases"];

  constructor(database: Database, { days, leases }: BinStoreOptions) {
    this.#database = database;
    this.#queries = database.queries;
    this.#days = days;
    this.#leases = leases;
  }

  /** Returns the newest entries, or those after the cursor. */
  async list(before?: Cursor): Promise<BinPage> {
    const { rows } = (await this.#queries.execute(sql`SELECT id, kind, "chatId", title, count, excerpt,
        ${microseconds(sql`deleted_at`)} AS time
      FROM (${ENTRIES}) AS bin
      WHERE ${isAfter(before, sql`deleted_at`, sql`id`)}
      ORDER BY deleted_at DESC, id DESC LIMIT ${PAGE + 1}`)) as unknown as { rows: BinRow[] };
    const { rows: counts } = (await this.#queries.execute(
      sql`SELECT count(*)::integer AS total FROM (${ENTRIES}) AS bin`,
    )) as unknown as { rows: { total: number }[] };
    const shown = rows.slice(0, PAGE);
    const last = shown.at(-1);
    return {
      entries: shown.map((row) => this.#toEntry(row)),
      total: counts[0]?.total ?? 0,
      ...(rows.length > PAGE && last && { next: writeCursor(last) }),
    };
  }

  #toEntry({ time, ...row }: BinRow): BinEntry {
    const at = Number(time) / 1000;
    const endsAt = new Date(at + this.#days * DAY).toISOString();
    return { ...row, deletedAt: new Date(at).toISOString(), endsAt };
  }

  /** Returns the chat that an entry belongs to. */
  async find(id: string): Promise<Pick<BinEntry, "kind" | "chatId"> | undefined> {
    if (id !== storable(id)) return undefined;
    const { rows } = (await this.#queries.execute(
      sql`SELECT kind, "chatId" FROM (${ENTRIES}) AS bin WHERE id = ${id}`,
    )) as unknown as { rows: Pick<BinEntry, "kind" | "chatId">[] };
    return rows[0];
  }

  /** Restores a chat. Returns false if it is not in the bin. */
  async restoreChat(id: string): Promise<boolean> {
    const isIt = and(eq(chats.id, id), isNotNull(chats.deletedAt));
    return changeChats(this.#database, async (transaction) => {
      const restored = await transaction.update(chats).set({ deletedAt: null }).where(isIt).returning({ id: chats.id });
      return restored.length > 0;
    });
  }

  /** Whether replaced messages can be restored before others. */
  async isInOrder(id: string): Promise<boolean> {
    const [entry] = await this.#queries.select().from(replacements).where(eq(replacements.id, id));
    return entry === undefined || !(await isInBin(this.#queries, entry.chatId, entry.place));
  }

  /** Restores replaced messages. What is in their place now moves to the bin. */
  async restoreMessages(id: string, chatId: string): Promise<RestoreResult> {
    return changeChats(this.#database, async (transaction): Promise<RestoreResult> => {
      // The same lock as for a new message, so that the two never mix.
      const [chat] = await transaction.select().from(chats).where(eq(chats.id, chatId)).for("update");
      const [entry] = await transaction.select().from(replacements).where(eq(replacements.id, id));
      if (chat === undefined || chat.deletedAt !== null || entry === undefined) return { outcome: "gone" };
      if ((await this.#leases.stateOf(transaction, chatId)) !== "none") return { outcome: "under-way" };
      const before = await firstMessage(transaction, chatId);
      const result = await putBack(transaction, entry);
      if (result.outcome !== "restored") return result;
      const title = chatTitle(chat.title, before, await firstMessage(transaction, chatId));
      await transaction
        .update(chats)
        .set({ updatedAt: new Date(), ...title })
        .where(eq(chats.id, chatId));
      return result;
    });
  }

  /** Deletes an entry for good. Returns the chats that were deleted; undefined if there is no such entry. */
  async delete(id: string): Promise<readonly string[] | undefined> {
    if (id !== storable(id)) return undefined;
    return changeChats(this.#database, async (transaction) => {
      const deleted = await deleteChats(transaction, sql`${eq(chats.id, id)} AND ${isNotNull(chats.deletedAt)}`);
      const isIt = eq(replacements.id, id);
      const messages = await transaction.delete(replacements).where(isIt).returning({ id: replacements.id });
      return deleted.length + messages.length === 0 ? undefined : deleted;
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
      const { chatIds, entries } = await this.#queries.transaction((transaction) =>
        this.#deleteSome(transaction, isOver),
      );
      if (entries === 0) return total;
      await onDeleted(chatIds);
      total += entries;
    }
  }

  async #deleteSome(transaction: Queries, isOver: (deletedAt: SQL) => SQL): Promise<Deleted> {
    // Rows that another server is deleting or restoring are left to it.
    const some = (table: SQL): SQL => sql`(SELECT id FROM ${table} WHERE ${isOver(sql`deleted_at`)}
      ORDER BY deleted_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)`;
    const chatIds = await deleteChats(transaction, inArray(chats.id, some(sql`chats`)));
    const isIt = inArray(replacements.id, some(sql`replacements`));
    const messages = await transaction.delete(replacements).where(isIt).returning({ id: replacements.id });
    const entries = chatIds.length + messages.length;
    if (entries > 0) await this.#database.notify("chats", transaction);
    return { chatIds, entries };
  }
}

type OnDeleted = (chatIds: readonly string[]) => Promise<void>;

interface Deleted {
  readonly chatIds: readonly string[];
  /** The number of entries: chats and replacements. */
  readonly entries: number;
}

export type RestoreResult = Awaited<ReturnType<typeof putBack>> | { readonly outcome: "gone" | "under-way" };

type BinRow = Omit<BinEntry, "deletedAt" | "endsAt"> & { readonly time: string };

const ENTRIES = sql`
  SELECT id, 'chat' AS kind, id AS "chatId", title, '' AS excerpt, deleted_at,
    (SELECT count(*)::integer FROM messages WHERE chat_id = chats.id) AS count
  FROM chats WHERE deleted_at IS NOT NULL
  UNION ALL
  SELECT replaced.id, 'messages', chat_id, title, excerpt, replaced.deleted_at, count
  FROM replacements AS replaced JOIN chats ON chats.id = chat_id WHERE chats.deleted_at IS NULL`;

const PAGE = 50;
const AT_ONCE = 50;
const DAY = 86_400_000;
