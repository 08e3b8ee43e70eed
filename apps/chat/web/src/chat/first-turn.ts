import type { Chat, ChatSummary } from "../../../shared/api.ts";
import { request } from "../api/request.ts";
import { chatPath } from "../router/route.ts";
import { navigate } from "../router/use-route.ts";
import { keepDraft, NEW_CHAT } from "./draft.ts";

export interface FirstTurn {
  readonly chat: Chat;
  readonly text: string;
}

/** Creates a chat and opens its page, which then sends the message. */
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

/** Returns the message once, so that a second render does not send it again. */
export function takeWaitingTurn(chatId: string): FirstTurn | undefined {
  const turn = waiting.get(chatId);
  waiting.delete(chatId);
  return turn;
}

const waiting = new Map<string, FirstTurn>();
