import { eq, sql } from "drizzle-orm";
import type { SessionState, SessionStore } from "skillset";
import type { Queries } from "../database/database.ts";
import { chatSessions, chats } from "../database/schema.ts";

/** Stores the active skills of a chat and what its model has seen of the catalog, never instructions. */
export class DatabaseSessionStore implements SessionStore {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async load(id: string): Promise<SessionState | undefined> {
    const active = sql<SessionState["active"]>`(
      SELECT coalesce(json_agg(json_build_object('name', name, 'digest', digest, 'by', activated_by) ORDER BY position), '[]')
      FROM chat_skills WHERE chat_id = ${id})`;
    const [found] = await this.#queries
      .select({ spent: chats.spent, catalog: chatSessions.catalog, notices: chatSessions.notices, active })
      .from(chats)
      .leftJoin(chatSessions, eq(chatSessions.chatId, chats.id))
      .where(eq(chats.id, id));
    if (found === undefined) return undefined;
    const { spent, catalog, notices } = found;
    return { version: 3, active: found.active, spent, catalog: catalog ?? undefined, notices: notices ?? [] };
  }

  /** One statement, because every turn saves. Does nothing if the chat was deleted during its last answer. */
  async save(id: string, { active, spent, catalog, notices }: SessionState): Promise<void> {
    const skills = active.map(({ name, digest, by }, position) => ({ name, digest, by, position }));
    await this.#queries.execute(sql`
      WITH chat AS (UPDATE chats SET spent = ${spent} WHERE id = ${id} RETURNING id),
      state AS (
        INSERT INTO chat_sessions (chat_id, catalog, notices)
        SELECT id, ${JSON.stringify(catalog ?? null)}::jsonb, ${JSON.stringify(notices)}::jsonb FROM chat
        WHERE ${catalog !== undefined}
        ON CONFLICT (chat_id) DO UPDATE SET catalog = excluded.catalog, notices = excluded.notices
      ),
      given AS (
        SELECT * FROM json_to_recordset(${JSON.stringify(skills)}::json)
          AS given (name text, digest text, by text, position integer)
      ),
      unloaded AS (
        DELETE FROM chat_skills WHERE chat_id IN (SELECT id FROM chat) AND name NOT IN (SELECT name FROM given)
      )
      INSERT INTO chat_skills (chat_id, name, digest, activated_by, position)
      SELECT chat.id, name, digest, by, position FROM chat, given
      ON CONFLICT (chat_id, name) DO UPDATE
      SET digest = excluded.digest, activated_by = excluded.activated_by, position = excluded.position`);
  }
}
