import type { Chat, ChatSummary } from "../../../shared/api.ts";
import type { Attachment } from "../../../shared/attachments-api.ts";
import { request } from "../api/request.ts";
import { keepDraftFiles } from "../attachments/draft-files.ts";
import { chatPath } from "../router/route.ts";
import { navigate } from "../router/use-route.ts";
import { keepDraft, NEW_CHAT } from "./draft.ts";

export interface FirstTurn {
  readonly chat: Chat;
  readonly text: string;
  readonly files: readonly Attachment[];
}

/** Creates a chat and opens its page, which then sends the message. */
export async function startChat({ text, files }: Omit<FirstTurn, "chat">, modelId: string): Promise<void> {
  const summary = await request<ChatSummary>("/api/chats", { method: "POST" });
  keepDraft(summary.id, text);
  keepDraftFiles(summary.id, files);
  keepDraft(NEW_CHAT, "");
  keepDraftFiles(NEW_CHAT, []);
  const chat = { ...summary, modelId, messages: [], siblings: {}, active: [], isAnswering: false };
  waiting.set(summary.id, { chat, text, files });
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
