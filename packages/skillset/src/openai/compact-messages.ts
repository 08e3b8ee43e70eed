import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { type CompactedMessages, type CompactMessagesOptions, compactWith } from "../core/compact-with.ts";
import type { Session } from "../core/session.ts";
import { contentText, mapContent } from "./content.ts";
import { itemText } from "./run-responses.ts";

/** Shortens messages of the Chat Completions API, and keeps the instructions of every active skill in them. */
export function compactChatMessages(
  session: Session,
  messages: readonly ChatCompletionMessageParam[],
  options: CompactMessagesOptions,
): Promise<CompactedMessages<ChatCompletionMessageParam>> {
  return compactWith(session, messages, options, {
    read: ({ role, content }) => ({ role, text: contentText(content) }),
    mapText: (message, change) =>
      ({ ...message, content: mapContent(message.content, change) }) as ChatCompletionMessageParam,
    write: (content) => ({ role: "user", content }),
  });
}

/** Shortens the input of the Responses API, and keeps the instructions of every active skill in it. */
export function compactResponseInput(
  session: Session,
  items: readonly ResponseInputItem[],
  options: CompactMessagesOptions,
): Promise<CompactedMessages<ResponseInputItem>> {
  return compactWith(session, items, options, {
    read: (item) => ({ role: "role" in item && item.role ? item.role : "tool", text: itemText(item) }),
    mapText: (item, change) => {
      if ("role" in item && "content" in item)
        return { ...item, content: mapContent(item.content, change) } as ResponseInputItem;
      if (item.type !== "function_call_output") return item;
      return { ...item, output: mapContent(item.output, change) } as ResponseInputItem;
    },
    write: (content) => ({ role: "user", content }),
  });
}
