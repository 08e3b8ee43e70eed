import { sql } from "drizzle-orm";
import type { ChatMessage } from "../../shared/api.ts";
import type { Queries } from "../database/database.ts";
import type { AnswerClaim, AnswerLeases } from "./answer-leases.ts";
import { lastShown } from "./branches.ts";
import { titled } from "./chat-title.ts";
import { toRow } from "./message-row.ts";
import { NEW_CHAT, titleFrom } from "./message-words.ts";

// The two changes of every turn, each in one statement: when many people ask at once, they wait for the database.

/**
 * Stores a user's message and claims the chat for its answer. Returns false, and changes nothing, if the chat does not
 * exist, an answer is claimed, the message is stored already, or another branch is shown at this moment.
 */
export async function askInOneStatement(
  queries: Queries,
  message: ChatMessage,
  { claim, leases }: { readonly claim: AnswerClaim; readonly leases: AnswerLeases },
): Promise<boolean> {
  const { chatId, answerId, modelId } = claim;
  const { id, role, parts, metadata, words } = toRow(chatId, message);
  const { title, titleWords } = titled(titleFrom({ parts }));
  const isNew = sql`(title = ${NEW_CHAT} AND NOT EXISTS (SELECT FROM messages WHERE chat_id = ${chatId}))`;
  try {
    const { rows } = (await queries.execute(sql`
      WITH chat AS (
        UPDATE chats SET
          model_id = ${modelId},
          updated_at = ${new Date().toISOString()}::timestamptz,
          title = CASE WHEN ${isNew} THEN ${title} ELSE title END,
          title_words = CASE WHEN ${isNew} THEN ${titleWords} ELSE title_words END
        WHERE id = ${chatId} AND deleted_at IS NULL
          AND NOT EXISTS (SELECT FROM answers WHERE chat_id = ${chatId})
          AND NOT EXISTS (SELECT FROM messages WHERE chat_id = ${chatId} AND id = ${id})
          -- False after waiting for another branch to be shown: the rest of the statement sees the one before.
          AND branch = (SELECT branch FROM chats WHERE id = ${chatId})
        RETURNING id
      ),
      claimed AS (
        INSERT INTO answers (chat_id, id, server, model_id, lease_until)
        SELECT id, ${answerId}, ${leases.server}, ${modelId}, ${leases.end()} FROM chat
      )
      INSERT INTO messages (chat_id, id, role, parts, metadata, words, parent_id)
      SELECT id, ${id}, ${role}, ${JSON.stringify(parts)}::jsonb, ${JSON.stringify(metadata)}::jsonb, ${words},
        ${lastShown(chatId)}
      FROM chat
      RETURNING id`)) as unknown as { rows: readonly unknown[] };
    return rows.length > 0;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

/**
 * Stores an answer and ends its claim. Returns false if the chat does not exist, or the claim is lost and nothing was
 * stored in its place. If another server has marked the answer as cut off, the complete answer replaces that mark.
 */
export async function answerInOneStatement(queries: Queries, chatId: string, message: ChatMessage): Promise<boolean> {
  const { id, role, parts, metadata, words } = toRow(chatId, message);
  const { rows } = (await queries.execute(sql`
    WITH chat AS (
      UPDATE chats SET updated_at = ${new Date().toISOString()}::timestamptz WHERE id = ${chatId} RETURNING id
    ),
    released AS (
      DELETE FROM answers USING chat WHERE answers.chat_id = chat.id AND answers.id = ${id} RETURNING answers.id
    )
    INSERT INTO messages (chat_id, id, role, parts, metadata, words, parent_id)
    SELECT id, ${id}, ${role}, ${JSON.stringify(parts)}::jsonb, ${JSON.stringify(metadata)}::jsonb, ${words},
      ${lastShown(chatId)}
    FROM chat
    WHERE EXISTS (SELECT FROM released) OR EXISTS (SELECT FROM messages WHERE chat_id = ${chatId} AND id = ${id})
    ON CONFLICT (chat_id, id) DO UPDATE
    SET role = excluded.role, parts = excluded.parts, metadata = excluded.metadata, words = excluded.words
    RETURNING id`)) as unknown as { rows: readonly unknown[] };
  return rows.length > 0;
}

/** Whether another request stored the same row at the same moment. */
function isConflict(error: unknown): boolean {
  return error instanceof Error && ((error as { code?: unknown }).code === "23505" || isConflict(error.cause));
}
