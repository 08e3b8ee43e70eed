import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, gt, gte } from "drizzle-orm";
import type { ChatChanges, ChatMessage, ChatSummary } from "../../shared/api.ts";
import type { Database, Queries } from "../database/database.ts";
import { chats, messages } from "../database/schema.ts";
import type { AnswerLeases } from "./answer-leases.ts";
import { toRow } from "./message-row.ts";
import { fold, NEW_CHAT, titleFrom, wordsOf } from "./message-words.ts";
import { ChatSearch, MOST_CHATS, type SearchOptions } from "./search-chats.ts";
import { storable } from "./storable.ts";

/** Stores chats and messages, without the texts of skills, and notifies other servers of changes. */
export class ChatStore {
  readonly #database: Database;
  readonly #queries: Queries;
  readonly #search: ChatSearch;
  readonly leases: AnswerLeases;

  constructor(database: Database, leases: AnswerLeases) {
    this.#database = database;
    this.#queries = database.queries;
    this.#search = new ChatSearch(database.queries);
    this.leases = leases;
  }

  /** Returns the newest chats, or the newest that match the query. */
  async list(query = "", options: SearchOptions = {}): Promise<readonly ChatSummary[]> {
    if (query.trim() !== "") return (await this.#search.find(query.trim(), options)).map(toSummary);
    const rows = await this.#queries
      .select()
      .from(chats)
      .orderBy(desc(chats.updatedAt), desc(chats.id))
      .limit(MOST_CHATS);
    return rows.map(toSummary);
  }

  async create(modelId: string): Promise<ChatSummary> {
    return this.#change(async (transaction) => {
      const values = { id: randomUUID(), ...titled(NEW_CHAT), modelId };
      const [row] = await transaction.insert(chats).values(values).returning();
      return toSummary(row as typeof chats.$inferSelect);
    });
  }

  async get(id: string): Promise<ChatSummary | undefined> {
    if (id !== storable(id)) return undefined;
    const [row] = await this.#queries.select().from(chats).where(eq(chats.id, id));
    return row && toSummary(row);
  }

  async change(id: string, { title, modelId }: ChatChanges): Promise<ChatSummary | undefined> {
    const values = { updatedAt: new Date(), modelId, ...(title !== undefined && titled(title)) };
    return this.#change(async (transaction) => {
      const [row] = await transaction.update(chats).set(values).where(eq(chats.id, id)).returning();
      return row && toSummary(row);
    });
  }

  async delete(id: string): Promise<void> {
    await this.#change((transaction) => transaction.delete(chats).where(eq(chats.id, id)));
  }

  async messages(chatId: string): Promise<ChatMessage[]> {
    const rows = await this.#queries
      .select()
      .from(messages)
      .where(eq(messages.chatId, chatId))
      .orderBy(asc(messages.position));
    return rows.map(({ id, role, parts, metadata }) => ({ id, role, parts, metadata }));
  }

  /** Whether an answer is running on any server. If its server died, the answer is marked as cut off first. */
  async isAnswering(chatId: string): Promise<boolean> {
    const state = await this.leases.stateOf(this.#queries, chatId);
    if (state !== "dead") return state === "alive";
    const cut = await this.leases.cutDead(this.#queries, chatId);
    await this.#announceCut(cut);
    // While another server marks it, the answer still counts as running: its message is not there yet.
    return cut.length === 0 && (await this.leases.stateOf(this.#queries, chatId)) !== "none";
  }

  /**
   * Stores a user's message and claims the chat for its answer. With `replaceFrom`, that message and all later ones are
   * deleted first. Sending the same message again, after a lost response, does not store it twice.
   */
  async ask(chatId: string, message: ChatMessage, options: AskOptions): Promise<AskOutcome> {
    try {
      await this.#change((transaction) => this.#ask(transaction, chatId, message, options));
      return "stored";
    } catch (error) {
      if (error instanceof Refusal) return error.reason;
      throw error;
    }
  }

  async #ask(transaction: Queries, chatId: string, message: ChatMessage, options: AskOptions): Promise<void> {
    const { modelId, replaceFrom, answerId } = options;
    const [chat] = await transaction.select().from(chats).where(eq(chats.id, chatId)).for("update");
    if (chat === undefined) throw new Refusal("gone");
    await this.leases.cutDead(transaction, chatId);
    if (!(await this.leases.claim(transaction, { chatId, answerId, modelId }))) throw new Refusal("under-way");
    const before = await firstMessage(transaction, chatId);
    if (replaceFrom !== undefined && !(await dropFrom(transaction, chatId, replaceFrom)))
      throw new Refusal("not-found");
    const inserted = await transaction
      .insert(messages)
      .values(toRow(chatId, message))
      .onConflictDoNothing()
      .returning({ id: messages.id });
    if (inserted.length === 0 && !(await isUnanswered(transaction, chatId, message))) throw new Refusal("taken");
    // A title set by the user stays when the first message is replaced.
    const isOurs = chat.title === NEW_CHAT || (before !== undefined && chat.title === titled(titleFrom(before)).title);
    const isUntitled = isOurs && (await firstMessage(transaction, chatId))?.id === message.id;
    await transaction
      .update(chats)
      .set({ modelId, updatedAt: new Date(), ...(isUntitled && titled(titleFrom(message))) })
      .where(eq(chats.id, chatId));
  }

  /** Stores a claimed answer. Returns false if its chat was deleted or has moved on. Safe to repeat. */
  async answer(chatId: string, message: ChatMessage): Promise<boolean> {
    return this.#change(async (transaction) => {
      const now = { updatedAt: new Date() };
      const found = await transaction.update(chats).set(now).where(eq(chats.id, chatId)).returning({ id: chats.id });
      if (found.length === 0) return false;
      await this.#announceEnd([chatId], transaction);
      const { id, ...content } = toRow(chatId, message);
      const isHeld = await this.leases.release(transaction, chatId, id);
      const isIt = and(eq(messages.chatId, chatId), eq(messages.id, id));
      // Another server may have marked this answer as cut off meanwhile; the complete answer replaces that mark.
      if (!isHeld && (await transaction.select({ id: messages.id }).from(messages).where(isIt)).length === 0)
        return false;
      await transaction
        .insert(messages)
        .values({ id, ...content })
        .onConflictDoUpdate({ target: [messages.chatId, messages.id], set: content });
      return true;
    });
  }

  /** Releases a claim without an answer. */
  async abandon(chatId: string, answerId: string): Promise<void> {
    await this.#change(async (transaction) => {
      await this.leases.release(transaction, chatId, answerId);
      await this.#announceEnd([chatId], transaction);
    });
  }

  /** Renews this server's leases, marks the answers of dead servers, and returns the chats of those. */
  async keepLeases(known: () => readonly string[]): Promise<readonly string[]> {
    await this.leases.renew(this.#queries);
    const forgotten = await this.leases.cutForgotten(this.#queries, known);
    const cut = [...forgotten, ...(await this.leases.cutDead(this.#queries))];
    await this.#announceCut(cut);
    return cut;
  }

  /** Marks answers that the previous process left unfinished. For databases that only one process can open. */
  async cutUnfinished(): Promise<void> {
    await this.leases.cutAll(this.#queries);
  }

  async #announceCut(chatIds: readonly string[]): Promise<void> {
    if (chatIds.length === 0) return;
    await this.#announceEnd(chatIds);
    await this.#database.notify("chats");
  }

  /** Notifies the servers whose pages read these answers. */
  async #announceEnd(chatIds: readonly string[], transaction?: Queries): Promise<void> {
    for (let start = 0; start < chatIds.length; start += MOST_NOTIFIED) {
      const some = chatIds.slice(start, start + MOST_NOTIFIED).map((id) => `${id}:0`);
      await this.#database.notify(`answers ${some.join(" ")}`, transaction);
    }
  }

  /** Notifies the other servers when the transaction commits. */
  #change<Result>(work: (transaction: Queries) => Promise<Result>): Promise<Result> {
    return this.#queries.transaction(async (transaction) => {
      const result = await work(transaction);
      await this.#database.notify("chats", transaction);
      return result;
    });
  }
}

/** A notice has at most 8,000 bytes. */
const MOST_NOTIFIED = 100;

export type AskOutcome = "stored" | Refusal["reason"];

/** Thrown to roll back the transaction: a refused message stores and deletes nothing. */
class Refusal extends Error {
  readonly reason: "gone" | "not-found" | "taken" | "under-way";
  constructor(reason: Refusal["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

export interface AskOptions {
  readonly modelId: string;
  readonly replaceFrom?: string;
  /** The id of the future answer message. */
  readonly answerId: string;
}

async function firstMessage(queries: Queries, chatId: string) {
  const isIn = eq(messages.chatId, chatId);
  return (await queries.select().from(messages).where(isIn).orderBy(asc(messages.position)).limit(1))[0];
}

/** Returns false if the message does not exist. */
async function dropFrom(queries: Queries, chatId: string, messageId: string): Promise<boolean> {
  const isNamed = and(eq(messages.chatId, chatId), eq(messages.id, messageId));
  const [from] = await queries.select({ position: messages.position }).from(messages).where(isNamed);
  if (from === undefined) return false;
  await queries.delete(messages).where(and(eq(messages.chatId, chatId), gte(messages.position, from.position)));
  return true;
}

/** Whether this message is stored and has no answer yet. Deletes the marks of answers that were cut off. */
async function isUnanswered(queries: Queries, chatId: string, message: ChatMessage): Promise<boolean> {
  const isNamed = and(eq(messages.chatId, chatId), eq(messages.id, message.id));
  const [stored] = await queries.select().from(messages).where(isNamed);
  if (stored === undefined || wordsOf(stored) !== wordsOf(storable(message))) return false;
  const isAfter = and(eq(messages.chatId, chatId), gt(messages.position, stored.position));
  const after = await queries.select().from(messages).where(isAfter);
  if (after.some(({ role, parts }) => role !== "assistant" || parts.length > 0)) return false;
  await queries.delete(messages).where(isAfter);
  return true;
}

function titled(given: string): { title: string; titleWords: string } {
  const title = storable(given);
  return { title, titleWords: fold(title) };
}

function toSummary(row: typeof chats.$inferSelect): ChatSummary {
  const { id, title, modelId, createdAt, updatedAt } = row;
  return { id, title, modelId, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
