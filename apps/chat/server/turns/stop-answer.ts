import type { ChatStore } from "../chats/chat-store.ts";
import type { Database } from "../database/database.ts";
import type { RunningAnswers } from "./running-answers.ts";

export interface StopAnswerOptions {
  readonly chats: Pick<ChatStore, "isAnswering">;
  readonly database: Pick<Database, "notify">;
  readonly running: Pick<RunningAnswers, "has" | "stop">;
}

/** Stops the answer of a chat. If another server runs it, that server is notified and stores the text so far. */
export async function stopAnswer(chatId: string, { chats, database, running }: StopAnswerOptions): Promise<void> {
  if (running.has(chatId)) await running.stop(chatId);
  else if (await chats.isAnswering(chatId)) await database.notify(`stop ${chatId}`);
}
