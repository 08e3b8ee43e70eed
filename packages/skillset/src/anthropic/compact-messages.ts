import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import { type CompactedMessages, type CompactMessagesOptions, compactWith } from "../adapter/index.ts";
import type { Session } from "../index.ts";
import { MESSAGE_SHAPE } from "./message-shape.ts";

/** Shortens messages of the Messages API and keeps the instructions of every active skill. */
export function compactMessages(
  session: Session,
  messages: readonly MessageParam[],
  options: CompactMessagesOptions,
): Promise<CompactedMessages<MessageParam>> {
  return compactWith(session, messages, options, MESSAGE_SHAPE);
}
