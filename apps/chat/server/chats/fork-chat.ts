import { randomUUID } from "node:crypto";
import { setImmediate as letOthersRun } from "node:timers/promises";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { ChatMessage, ChatSummary } from "../../shared/api.ts";
import type { Queries } from "../database/database.ts";
import { attachments, chats, messages } from "../database/schema.ts";
import { skillsActivatedFrom } from "./activated-skills.ts";
import { isShownIn } from "./branches.ts";
import { toSummary } from "./chat-summary.ts";
import { titled } from "./chat-title.ts";

/**
 * Copies the shown messages of a chat, up to one of them, to a new chat. It has the model, the skills that these messages
 * activated, and what the model has seen of the catalog. Returns undefined if there is no such message.
 */
export async function forkChat(queries: Queries, chatId: string, messageId: string): Promise<ChatSummary | undefined> {
  const [chat] = await queries
    .select()
    .from(chats)
    .where(and(eq(chats.id, chatId), isNull(chats.deletedAt)));
  // Answers can have megabytes, so they stay in the database.
  const parts = sql<ChatMessage["parts"]>`CASE WHEN role = 'user' THEN parts
    ELSE jsonb_path_query_array(parts, '$[*] ? (@.type == "tool-skills_activate")') END`;
  const shown = await queries
    .select({ id: messages.id, role: messages.role, position: messages.position, parts })
    .from(messages)
    .where(isShownIn(chatId))
    .orderBy(asc(messages.position));
  const end = shown.findIndex(({ id }) => id === messageId);
  if (chat === undefined || end === -1) return undefined;
  const values = { ...titled(`${chat.title} (fork)`), id: randomUUID(), modelId: chat.modelId, spent: chat.spent };
  const [fork] = await queries.insert(chats).values(values).returning();
  const { id } = values;
  for (const message of shown.slice(0, end + 1)) {
    await copyMessage(queries, { from: chatId, to: id, message });
    // The embedded database runs on this thread.
    await letOthersRun();
  }
  const later = shown[end + 1] === undefined ? [] : skillsActivatedFrom(shown, shown[end + 1]?.id ?? "");
  await queries.execute(sql`
    INSERT INTO chat_skills (chat_id, name, digest, activated_by, arguments, position)
    SELECT ${id}, name, digest, activated_by, arguments, position FROM chat_skills
    WHERE chat_id = ${chatId} AND name <> ALL (${sql.param([...later])}::text[])`);
  await queries.execute(sql`
    INSERT INTO chat_sessions (chat_id, version, catalog, notices)
    SELECT ${id}, version, catalog, notices FROM chat_sessions WHERE chat_id = ${chatId}`);
  await queries.execute(sql`
    INSERT INTO answer_steps (chat_id, answer_id, step, input_tokens, output_tokens, is_estimate, cost, record)
    SELECT ${id}, answer_id, step, input_tokens, output_tokens, is_estimate, cost, record
    FROM answer_steps JOIN messages ON messages.chat_id = ${id} AND messages.id = answer_id
    WHERE answer_steps.chat_id = ${chatId}`);
  return fork && toSummary(fork);
}

interface CopiedMessage {
  readonly from: string;
  readonly to: string;
  readonly message: Pick<ChatMessage, "id" | "parts" | "role">;
}

async function copyMessage(queries: Queries, { from, to, message }: CopiedMessage): Promise<void> {
  await queries.execute(sql`
    INSERT INTO messages (chat_id, id, role, parts, metadata, words, parent_id, is_shown)
    SELECT ${to}, id, role, parts, metadata, words, parent_id, is_shown FROM messages
    WHERE chat_id = ${from} AND id = ${message.id}`);
  if (!message.parts.some(({ type }) => type === "data-attachment")) return;
  await queries
    .update(messages)
    .set({ parts: await copyFiles(queries, message.parts, to) })
    .where(and(eq(messages.chatId, to), eq(messages.id, message.id)));
}

/** A file belongs to one chat. Its content is stored once for all of them. */
async function copyFiles(queries: Queries, parts: ChatMessage["parts"], chatId: string): Promise<ChatMessage["parts"]> {
  const copied: ChatMessage["parts"] = [];
  for (const part of parts) {
    if (part.type !== "data-attachment") {
      copied.push(part);
      continue;
    }
    const [file] = await queries.select().from(attachments).where(eq(attachments.id, part.data.id));
    const id = randomUUID();
    if (file !== undefined) await queries.insert(attachments).values({ ...file, id, chatId });
    copied.push({ ...part, data: { ...part.data, id } });
  }
  return copied;
}
