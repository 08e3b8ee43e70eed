import { sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import type { AnswerChunk } from "./join-chunks.ts";

/** A part of a running answer, as it is stored. */
export interface LogRow {
  readonly chatId: string;
  readonly answerId: string;
  readonly seq: number;
  /** A JSON list. */
  readonly chunks: string;
}

/**
 * Adds parts of many answers in one statement. Parts of answers that this server no longer holds are left out. Safe to
 * repeat.
 */
export async function appendRows(queries: Queries, rows: readonly LogRow[]): Promise<void> {
  await queries.execute(sql`
    WITH held AS (
      SELECT a.chat_id, given.seq, given.chunks
      FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS given ("chatId" text, "answerId" text, seq integer, chunks text)
      JOIN answers a ON a.chat_id = given."chatId" AND a.id = given."answerId"
      FOR KEY SHARE OF a
    )
    INSERT INTO answer_parts (chat_id, seq, chunks) SELECT chat_id, seq, chunks FROM held ON CONFLICT DO NOTHING`);
}

export interface StoredLog {
  readonly answerId: string;
  readonly parts: readonly { readonly seq: number; readonly chunks: readonly AnswerChunk[] }[];
}

/** Returns the parts after a sequence number; undefined if no answer is running in the chat. */
export async function readRows(queries: Queries, chatId: string, after: number): Promise<StoredLog | undefined> {
  const { rows } = (await queries.execute(sql`
    SELECT a.id, p.seq, p.chunks FROM answers a
      LEFT JOIN answer_parts p ON p.chat_id = a.chat_id AND p.seq > ${after}
    WHERE a.chat_id = ${chatId} ORDER BY p.seq`)) as unknown as {
    rows: { id: string; seq: number | null; chunks: string }[];
  };
  const [first] = rows;
  if (first === undefined) return undefined;
  const parts = rows.flatMap(({ seq, chunks }) =>
    seq === null ? [] : [{ seq, chunks: JSON.parse(chunks) as AnswerChunk[] }],
  );
  return { answerId: first.id, parts };
}
