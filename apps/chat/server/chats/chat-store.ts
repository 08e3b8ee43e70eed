import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { ChatChanges, ChatMessage, ChatPage, ChatSummary } from "../../shared/api.ts";
import type { Database, Queries, ServerNotice } from "../database/database.ts";
import { LOCAL_OWNER } from "../database/owner.ts";
import { answerSteps, chats, messages } from "../database/schema.ts";
import type { AnswerLeases } from "./answer-leases.ts";
import { hideAfter, isShownIn, lastShown, showLatestAnswer } from "./branches.ts";
import { changeChats } from "./change-chats.ts";
import { toSummary } from "./chat-summary.ts";
import { chatTitle, firstMessage, titled } from "./chat-title.ts";
import { type Cursor, isAfter, microseconds, writeCursor } from "./cursor.ts";
import { deleteChats } from "./delete-chats.ts";
import { toRow } from "./message-row.ts";
import { NEW_CHAT, wordsOf } from "./message-words.ts";
import { answerInOneStatement, askInOneStatement } from "./one-statement.ts";
import { ChatSearch, type SearchOptions } from "./search-chats.ts";
import { storable } from "./storable.ts";

/** Stores chats and messages, without the texts of skills, and notifies other servers of changes. */
export class ChatStore {
  readonly #database: Database;
  readonly #queries: Queries;
  readonly #search: ChatSearch;
  readonly #hasBin: boolean;
  readonly leases: AnswerLeases;

  constructor(database: Database, leases: AnswerLeases, { hasBin }: ChatStoreOptions) {
    this.#database = database;
    this.#hasBin = hasBin;
    this.#queries = database.queries;
    this.#search = new ChatSearch(database);
    this.leases = leases;
  }

  /** Returns a page of the newest chats. */
  async list(before?: Cursor): Promise<ChatPage> {
    const { updatedAt, id } = chats;
    const rows = await this.#queries
      .select({ chat: chats, time: microseconds(updatedAt) })
      .from(chats)
      .where(and(eq(chats.owner, LOCAL_OWNER), isNull(chats.deletedAt), isAfter(before, updatedAt, id)))
      .orderBy(desc(updatedAt), desc(id))
      .limit(PAGE + 1);
    const shown = rows.slice(0, PAGE);
    const last = shown.at(-1);
    return {
      chats: shown.map(({ chat }) => toSummary(chat)),
      ...(rows.length > PAGE && last && { next: writeCursor({ time: last.time, id: last.chat.id }) }),
    };
  }

  /** Returns the newest chats whose title or messages contain the text. */
  async search(query: string, options: SearchOptions = {}): Promise<ChatPage> {
    const { rows, isPartial } = await this.#search.find(query, options);
    return { chats: rows.map(toSummary), ...(isPartial && { isPartial }) };
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
    const [row] = await this.#queries.select().from(chats).where(isShown(id));
    return row && toSummary(row);
  }

  async isInBin(id: string): Promise<boolean> {
    if (id !== storable(id)) return false;
    const isIt = and(eq(chats.id, id), isNotNull(chats.deletedAt));
    return (await this.#queries.select({ id: chats.id }).from(chats).where(isIt)).length > 0;
  }

  async change(id: string, { title, modelId }: ChatChanges): Promise<ChatSummary | undefined> {
    const values = { updatedAt: new Date(), modelId, ...(title !== undefined && titled(title)) };
    return this.#change(async (transaction) => {
      const [row] = await transaction.update(chats).set(values).where(isShown(id)).returning();
      return row && toSummary(row);
    });
  }

  /** Replaces the title of a chat, unless it has a new one by now. Its place in the list stays. */
  async retitle(id: string, title: string, { instead }: { readonly instead: string }): Promise<boolean> {
    return this.#change(async (transaction) => {
      const isOld = and(isShown(id), eq(chats.title, instead));
      return (await transaction.update(chats).set(titled(title)).where(isOld).returning({ id: chats.id })).length > 0;
    });
  }

  /** Moves a chat to the bin, or deletes it for good if there is no bin. */
  async delete(id: string): Promise<void> {
    await this.#change(async (transaction) => {
      if (!this.#hasBin) await deleteChats(transaction, eq(chats.id, id));
      else await transaction.update(chats).set({ deletedAt: sql`now()` }).where(isShown(id));
    });
  }

  async messages(chatId: string): Promise<ChatMessage[]> {
    const rows = await this.#queries.select().from(messages).where(isShownIn(chatId)).orderBy(asc(messages.position));
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
   * Stores a user's message and claims the chat for its answer. With `replaceFrom`, it starts a branch in the place of
   * that message; with its own id, only its answer is written again. Sending the same message again, after a lost
   * response, does not store it twice.
   */
  async ask(chatId: string, message: ChatMessage, options: AskOptions): Promise<AskResult> {
    if (chatId !== storable(chatId)) return { outcome: "gone" };
    if (options.replaceFrom === undefined) {
      const parts = { claim: { ...options, chatId }, leases: this.leases };
      if (await askInOneStatement(this.#queries, message, parts)) {
        this.#notifySoon("chats");
        return { outcome: "stored", skills: [] };
      }
    }
    try {
      const skills = await this.#change((transaction) => this.#ask(transaction, chatId, message, options));
      return { outcome: "stored", skills };
    } catch (error) {
      if (error instanceof Refusal) return { outcome: error.reason };
      throw error;
    }
  }

  async #ask(
    transaction: Queries,
    chatId: string,
    message: ChatMessage,
    options: AskOptions,
  ): Promise<readonly string[]> {
    const { modelId, replaceFrom, answerId } = options;
    const [chat] = await transaction.select().from(chats).where(isShown(chatId)).for("update");
    if (chat === undefined) throw new Refusal("gone");
    await this.leases.cutDead(transaction, chatId);
    if (!(await this.leases.claim(transaction, { chatId, answerId, modelId }))) throw new Refusal("under-way");
    const before = await firstMessage(transaction, chatId);
    const skills = await this.#branch(transaction, chatId, message, replaceFrom);
    const inserted = await transaction
      .insert(messages)
      .values({ ...toRow(chatId, message), parentId: lastShown(chatId) })
      .onConflictDoNothing()
      .returning({ id: messages.id });
    if (inserted.length === 0 && !(await isUnanswered(transaction, chatId, message))) throw new Refusal("taken");
    const first = await firstMessage(transaction, chatId);
    const title = first?.id === message.id ? chatTitle(chat.title, before, first) : undefined;
    await transaction
      .update(chats)
      .set({ modelId, updatedAt: new Date(), ...title, ...(replaceFrom !== undefined && { branch: sql`branch + 1` }) })
      .where(eq(chats.id, chatId));
    return skills;
  }

  /** Hides what the message replaces. Returns the skills that were first activated there. */
  async #branch(
    transaction: Queries,
    chatId: string,
    message: ChatMessage,
    replaceFrom: string | undefined,
  ): Promise<readonly string[]> {
    if (replaceFrom === undefined) return [];
    const stored = await shownMessage(transaction, chatId, message.id);
    // After a lost response, the branch exists already.
    if (stored !== undefined && replaceFrom !== message.id) return [];
    if (stored !== undefined) {
      if (wordsOf(stored) !== wordsOf(storable(message))) throw new Refusal("taken");
      return hideAfter(transaction, chatId, stored.position);
    }
    const replaced = await shownMessage(transaction, chatId, replaceFrom);
    if (replaced === undefined) throw new Refusal("not-found");
    return hideAfter(transaction, chatId, replaced.position - 1);
  }

  /** Stores a claimed answer. Returns false if its chat was deleted or has moved on. Safe to repeat. */
  async answer(chatId: string, message: ChatMessage): Promise<boolean> {
    const store = (): Promise<boolean> => answerInOneStatement(this.#queries, chatId, message);
    // Another server may have marked it as cut off in this moment; only a second statement sees that mark.
    const isStored = (await store()) || (await store());
    this.#notifySoon(`answers ${chatId}:0`);
    this.#notifySoon("chats");
    return isStored;
  }

  /** Releases a claim without an answer. If the message had an answer before, that one is shown again. */
  async abandon(chatId: string, answerId: string): Promise<void> {
    await this.#change(async (transaction) => {
      const isReleased = await this.leases.release(transaction, chatId, answerId);
      if (isReleased) await showLatestAnswer(transaction, chatId);
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

  /** The change is stored; a notice that is lost only delays other servers. */
  #notifySoon(notice: ServerNotice): void {
    this.#database.notify(notice).catch(() => {});
  }

  #change<Result>(work: (transaction: Queries) => Promise<Result>): Promise<Result> {
    return changeChats(this.#database, work);
  }
}

export interface ChatStoreOptions {
  /** False deletes chats for good. */
  readonly hasBin: boolean;
}

const PAGE = 100;

/** A notice has at most 8,000 bytes. */
const MOST_NOTIFIED = 100;

/** `skills` are those that only the messages which are no longer shown activated. */
export type AskResult =
  | { readonly outcome: "stored"; readonly skills: readonly string[] }
  | { readonly outcome: Refusal["reason"] };

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

/** The chat with the id, unless it is in the bin. */
function isShown(id: string): SQL | undefined {
  return and(eq(chats.id, id), isNull(chats.deletedAt));
}

async function shownMessage(queries: Queries, chatId: string, id: string) {
  const isIt = and(isShownIn(chatId), eq(messages.id, storable(id)));
  return (await queries.select().from(messages).where(isIt))[0];
}

/** Whether this message is stored and has no answer yet. Deletes the marks of answers that were cut off, with their steps. */
async function isUnanswered(queries: Queries, chatId: string, message: ChatMessage): Promise<boolean> {
  const stored = await shownMessage(queries, chatId, message.id);
  if (stored === undefined || wordsOf(stored) !== wordsOf(storable(message))) return false;
  const isAfter = and(isShownIn(chatId), gt(messages.position, stored.position));
  const after = await queries.select().from(messages).where(isAfter);
  if (after.some(({ role, parts }) => role !== "assistant" || parts.length > 0)) return false;
  await queries.delete(messages).where(isAfter);
  const isTheirs = inArray(
    answerSteps.answerId,
    after.map(({ id }) => id),
  );
  await queries.delete(answerSteps).where(and(eq(answerSteps.chatId, chatId), isTheirs));
  return true;
}
