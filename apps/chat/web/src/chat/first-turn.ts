import type { Chat, ChatSummary } from "../../../shared/api.ts";
import { request } from "../api/request.ts";
import { chatPath } from "../router/route.ts";
import { navigate } from "../router/use-route.ts";
import { keepDraft, NEW_CHAT } from "./draft.ts";

export interface FirstTurn {
  readonly chat: Chat;
  readonly text: string;
}

/** Makes a chat and goes to it; the chat's page sends the words as soon as it shows. */
export async function startChat(text: string, modelId: string): Promise<void> {
  const summary = await request<ChatSummary>("/api/chats", { method: "POST" });
  keepDraft(summary.id, text);
  keepDraft(NEW_CHAT, "");
  waiting.set(summary.id, { chat: { ...summary, modelId, messages: [], active: [], isAnswering: false }, text });
  navigate(chatPath(summary.id));
}

export function waitingTurn(chatId: string): FirstTurn | undefined {
  return waiting.get(chatId);
}

/** The words are sent once, however often the page is drawn. */
export function takeWaitingTurn(chatId: string): FirstTurn | undefined {
  const turn = waiting.get(chatId);
  waiting.delete(chatId);
  return turn;
}

const waiting = new Map<string, FirstTurn>();
