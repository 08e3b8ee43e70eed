import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, exists, gte, like, or, sql } from "drizzle-orm";
import type { ChatChanges, ChatMessage, ChatSummary } from "../../shared/api.ts";
import type { Queries } from "../database/database.ts";
import { chats, messages } from "../database/schema.ts";
import { fold, NEW_CHAT, titleFrom, wordsOf } from "./message-words.ts";
import { storable } from "./storable.ts";

/** Chats and their messages, as they are stored: without the text of any skill. */
export class ChatStore {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async list(query = ""): Promise<readonly ChatSummary[]> {
    const pattern = `%${fold(storable(query.trim())).replace(/[\\%_]/g, "\\$&")}%`;
    const isIn = eq(messages.chatId, chats.id);
    const hit = this.#queries
      .select({ one: sql`1` })
      .from(messages)
      .where(and(isIn, like(messages.words, pattern)));
    const rows = await this.#queries
      .select()
      .from(chats)
      .where(query.trim() === "" ? undefined : or(like(chats.titleWords, pattern), exists(hit)))
      .orderBy(desc(chats.updatedAt), desc(chats.id))
      .limit(500);
    return rows.map(toSummary);
  }

  async create(modelId: string): Promise<ChatSummary> {
    const [row] = await this.#queries
      .insert(chats)
      .values({ id: randomUUID(), ...titled(NEW_CHAT), modelId })
      .returning();
    return toSummary(row as typeof chats.$inferSelect);
  }

  async get(id: string): Promise<ChatSummary | undefined> {
    if (id !== storable(id)) return undefined;
    const [row] = await this.#queries.select().from(chats).where(eq(chats.id, id));
    return row && toSummary(row);
  }

  async change(id: string, { title, modelId }: ChatChanges): Promise<ChatSummary | undefined> {
    const values = { updatedAt: new Date(), ...(title !== undefined && titled(title)), ...(modelId && { modelId }) };
    const [row] = await this.#queries.update(chats).set(values).where(eq(chats.id, id)).returning();
    return row && toSummary(row);
  }

  async delete(id: string): Promise<boolean> {
    return (await this.#queries.delete(chats).where(eq(chats.id, id)).returning({ id: chats.id })).length > 0;
  }

  async messages(chatId: string): Promise<ChatMessage[]> {
    const rows = await this.#queries
      .select()
      .from(messages)
      .where(eq(messages.chatId, chatId))
      .orderBy(asc(messages.position));
    return rows.map(({ id, role, parts, metadata }) => ({ id, role, parts, metadata }));
  }

  /** Stores what a person wrote; with `replaceFrom`, that message and all after it are dropped first. */
  async ask(chatId: string, message: ChatMessage, options: AskOptions): Promise<"stored" | "not-found" | "taken"> {
    return this.#queries.transaction(async (transaction) => {
      const firstMessage = async () => {
        const isIn = eq(messages.chatId, chatId);
        return (await transaction.select().from(messages).where(isIn).orderBy(asc(messages.position)).limit(1))[0];
      };
      const before = await firstMessage();
      if (options.replaceFrom !== undefined) {
        const isNamed = and(eq(messages.chatId, chatId), eq(messages.id, options.replaceFrom));
        const [from] = await transaction.select({ position: messages.position }).from(messages).where(isNamed);
        if (from === undefined) return "not-found";
        const isDropped = and(eq(messages.chatId, chatId), gte(messages.position, from.position));
        await transaction.delete(messages).where(isDropped);
      }
      const inserted = await transaction
        .insert(messages)
        .values(toRow(chatId, message))
        .onConflictDoNothing()
        .returning({ id: messages.id });
      if (inserted.length === 0) return "taken";
      const [{ title } = { title: "" }] = await transaction.select().from(chats).where(eq(chats.id, chatId));
      // A title that a person gave stays, whatever becomes of the first message.
      const isOurs = title === NEW_CHAT || (before !== undefined && title === titled(titleFrom(before)).title);
      const isUntitled = isOurs && (await firstMessage())?.id === message.id;
      await transaction
        .update(chats)
        .set({ modelId: options.modelId, updatedAt: new Date(), ...(isUntitled && titled(titleFrom(message))) })
        .where(eq(chats.id, chatId));
      return "stored";
    });
  }

  /** Stores an answer; false when its chat is gone. */
  async answer(chatId: string, message: ChatMessage): Promise<boolean> {
    return this.#queries.transaction(async (transaction) => {
      const now = { updatedAt: new Date() };
      const found = await transaction.update(chats).set(now).where(eq(chats.id, chatId)).returning({ id: chats.id });
      if (found.length === 0) return false;
      await transaction.insert(messages).values(toRow(chatId, message));
      return true;
    });
  }
}

export interface AskOptions {
  readonly modelId: string;
  readonly replaceFrom?: string | undefined;
}

function toRow(chatId: string, message: ChatMessage): typeof messages.$inferInsert {
  const { id, role, parts, metadata = {} } = storable(message);
  return { chatId, id, role, parts, metadata, words: fold(wordsOf({ parts })) };
}

function titled(given: string): { title: string; titleWords: string } {
  const title = storable(given);
  return { title, titleWords: fold(title) };
}

function toSummary(row: typeof chats.$inferSelect): ChatSummary {
  const { id, title, modelId, createdAt, updatedAt } = row;
  return { id, title, modelId, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
