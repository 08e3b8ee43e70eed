import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { type CompactedMessages, type CompactMessagesOptions, compactWith } from "../adapter/index.ts";
import type { Session } from "../index.ts";
import { CHAT_SHAPE, RESPONSE_SHAPE } from "./message-shapes.ts";

/** Shortens messages of the Chat Completions API and keeps the instructions of every active skill. */
export function compactChatMessages(
  session: Session,
  messages: readonly ChatCompletionMessageParam[],
  options: CompactMessagesOptions,
): Promise<CompactedMessages<ChatCompletionMessageParam>> {
  return compactWith(session, messages, options, CHAT_SHAPE);
}

/** Shortens the input of the Responses API and keeps the instructions of every active skill. */
export function compactResponseInput(
  session: Session,
  items: readonly ResponseInputItem[],
  options: CompactMessagesOptions,
): Promise<CompactedMessages<ResponseInputItem>> {
  return compactWith(session, items, options, RESPONSE_SHAPE);
}
