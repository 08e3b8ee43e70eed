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
      SELECT coalesce(json_agg(json_strip_nulls(json_build_object('name', name, 'digest', digest, 'by', activated_by, 'arguments', arguments)) ORDER BY position), '[]')
      FROM chat_skills WHERE chat_id = ${id})`;
    const [found] = await this.#queries
      .select({ spent: chats.spent, session: chatSessions, active })
      .from(chats)
      .leftJoin(chatSessions, eq(chatSessions.chatId, chats.id))
      .where(eq(chats.id, id));
    if (found === undefined) return undefined;
    const { spent, active: skills, session } = found;
    if (session === null) return { version: 3, active: skills, spent, notices: [] };
    // The library reads earlier versions too.
    const version = session.version as SessionState["version"];
    const { catalog, notices } = session;
    return { version, active: skills, spent, ...(catalog !== null && { catalog }), notices };
  }

  /** One statement, because every turn saves. Does nothing if the chat was deleted during its last answer. */
  async save(id: string, { version, active, spent, catalog, notices }: SessionState): Promise<void> {
    const skills = active.map((skill, position) => ({ ...skill, position }));
    const shown = catalog === undefined ? null : JSON.stringify(catalog);
    await this.#queries.execute(sql`
      WITH chat AS (UPDATE chats SET spent = ${spent} WHERE id = ${id} RETURNING id),
      state AS (
        INSERT INTO chat_sessions (chat_id, version, catalog, notices)
        SELECT id, ${version}, ${shown}::jsonb, ${JSON.stringify(notices)}::jsonb FROM chat
        ON CONFLICT (chat_id) DO UPDATE
        SET version = excluded.version, catalog = excluded.catalog, notices = excluded.notices
      ),
      given AS (
        SELECT * FROM json_to_recordset(${JSON.stringify(skills)}::json)
          AS given (name text, digest text, by text, arguments text, position integer)
      ),
      unloaded AS (
        DELETE FROM chat_skills WHERE chat_id IN (SELECT id FROM chat) AND name NOT IN (SELECT name FROM given)
      )
      INSERT INTO chat_skills (chat_id, name, digest, activated_by, arguments, position)
      SELECT chat.id, name, digest, by, arguments, position FROM chat, given
      ON CONFLICT (chat_id, name) DO UPDATE
      SET digest = excluded.digest, activated_by = excluded.activated_by, arguments = excluded.arguments,
        position = excluded.position`);
  }
}
