import { asc, eq, type SQL } from "drizzle-orm";
import type { ChatMessage } from "../../shared/api.ts";
import { lastShown } from "../chats/branches.ts";
import { toRow } from "../chats/message-row.ts";
import { withoutSkillText } from "../chats/skill-outputs.ts";
import type { Queries } from "../database/database.ts";
import { answerParts, answers, messages } from "../database/schema.ts";
import { foldChunks } from "./fold-chunks.ts";
import type { AnswerChunk } from "./join-chunks.ts";

/**
 * Stores the answers that their server left unfinished as messages: what the log has of each, marked as cut off. Returns
 * their chats. Safe to run on several servers at once: only one of them stores each answer.
 */
export async function recoverAnswers(queries: Queries, which: SQL): Promise<readonly string[]> {
  const recovered: string[] = [];
  for (;;) {
    const some = await queries.transaction((transaction) => recoverSome(transaction, which));
    recovered.push(...some);
    if (some.length < AT_ONCE) return recovered;
  }
}

async function recoverSome(transaction: Queries, which: SQL): Promise<readonly string[]> {
  const found = await transaction
    .select()
    .from(answers)
    .where(which)
    .limit(AT_ONCE)
    .for("update", { skipLocked: true });
  for (const { chatId, id, modelId } of found) {
    const isIts = eq(answerParts.chatId, chatId);
    const rows = await transaction.select().from(answerParts).where(isIts).orderBy(asc(answerParts.seq));
    const { parts, metadata } = await restore(rows.map(({ chunks }) => chunks));
    const message: ChatMessage = { id, role: "assistant", parts, metadata: { modelId, ...metadata, isCut: true } };
    await transaction
      .insert(messages)
      .values({ ...toRow(chatId, withoutSkillText(message)), parentId: lastShown(chatId) })
      .onConflictDoNothing();
    await transaction.delete(answers).where(eq(answers.chatId, chatId));
  }
  return found.map(({ chatId }) => chatId);
}

/** A log that cannot be read must not keep its chat from being used. */
async function restore(rows: readonly string[]): Promise<Pick<ChatMessage, "parts" | "metadata">> {
  try {
    return await foldChunks(rows.flatMap((row) => JSON.parse(row) as AnswerChunk[]));
  } catch {
    return { parts: [] };
  }
}

/** Each answer may have several megabytes. */
const AT_ONCE = 20;
