import { asc, eq } from "drizzle-orm";
import type { SessionState, SessionStore } from "skillset";
import type { Queries } from "../database/database.ts";
import { chatSessions, chatSkills, chats } from "../database/schema.ts";

/** Stores the active skills of a chat and what its model has seen of the catalog, never instructions. */
export class DatabaseSessionStore implements SessionStore {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async load(id: string): Promise<SessionState | undefined> {
    const [chat] = await this.#queries.select({ spent: chats.spent }).from(chats).where(eq(chats.id, id));
    if (chat === undefined) return undefined;
    const { chatId, name, digest, by, position } = chatSkills;
    const active = await this.#queries
      .select({ name, digest, by })
      .from(chatSkills)
      .where(eq(chatId, id))
      .orderBy(asc(position));
    const [state] = await this.#queries.select().from(chatSessions).where(eq(chatSessions.chatId, id));
    return { version: 2, active, spent: chat.spent, catalog: state?.catalog, notices: state?.notices };
  }

  async save(id: string, { active, spent = 0, catalog, notices = [] }: SessionState): Promise<void> {
    await this.#queries.transaction(async (transaction) => {
      const found = await transaction.update(chats).set({ spent }).where(eq(chats.id, id)).returning({ id: chats.id });
      // The chat was deleted during its last answer.
      if (found.length === 0) return;
      if (catalog !== undefined) {
        const state = { chatId: id, catalog, notices: [...notices] };
        await transaction
          .insert(chatSessions)
          .values(state)
          .onConflictDoUpdate({ target: chatSessions.chatId, set: state });
      }
      await transaction.delete(chatSkills).where(eq(chatSkills.chatId, id));
      if (active.length === 0) return;
      await transaction
        .insert(chatSkills)
        .values(active.map(({ name, digest, by }, position) => ({ chatId: id, name, digest, by, position })));
    });
  }
}
