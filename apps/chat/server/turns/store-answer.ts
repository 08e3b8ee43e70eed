import type { ChatMessage } from "../../shared/api.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import { hasContent } from "../chats/message-words.ts";
import { withoutSkillText } from "../chats/skill-outputs.ts";
import { keepTrying } from "../database/keep-trying.ts";
import type { Log } from "../observe/log.ts";
import type { ChatSkills } from "./chat-skills.ts";
import type { ChatTurn } from "./chat-turn.ts";
import type { RunningAnswers } from "./running-answers.ts";

export interface StoreAnswerOptions {
  readonly chats: Pick<ChatStore, "abandon" | "answer">;
  readonly log: Log;
  readonly running: Pick<RunningAnswers, "givenUp">;
  readonly skills: Pick<ChatSkills, "recent"> | undefined;
}

/** Stores an answer and retries while the database fails. Until then the answer counts as running. */
export async function storeAnswer(
  { chatId, answer: { id } }: ChatTurn,
  message: ChatMessage,
  { chats, log, running, skills }: StoreAnswerOptions,
): Promise<void> {
  const answer = { ...message, id };
  skills?.recent.remember(chatId, answer);
  const work = async (): Promise<void> => {
    const isEmpty = !hasContent(answer);
    if (isEmpty && answer.metadata?.failure === undefined) return chats.abandon(chatId, id);
    // An empty answer is stored for the reason why it failed.
    const kept = isEmpty ? { ...answer, parts: [] } : withoutSkillText(answer);
    if (!(await chats.answer(chatId, kept))) log.info("answer-unwanted", { chat: chatId });
  };
  await keepTrying(work, {
    signal: running.givenUp,
    onFault: (fault, attempt) => {
      if (attempt === 0) log.warn("answer-waits", { chat: chatId, fault });
    },
  });
}
