import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { type CompactedMessages, type CompactMessagesOptions, compactWith } from "../core/compact-with.ts";
import type { Session } from "../core/session.ts";
import { contentText, mapContent } from "../tools/content.ts";
import { replaceChatText } from "./run-chat.ts";
import { itemText, replaceItemText } from "./run-responses.ts";

/** Shortens messages of the Chat Completions API, and keeps the instructions of every active skill in them. */
export function compactChatMessages(
  session: Session,
  messages: readonly ChatCompletionMessageParam[],
  options: CompactMessagesOptions,
): Promise<CompactedMessages<ChatCompletionMessageParam>> {
  return compactWith(session, messages, options, {
    read: (message) => ({ role: message.role, text: contentText(message.content), extra: callsIn(message) }),
    mapText: (message, change) =>
      ({ ...message, content: mapContent(message.content, change) }) as ChatCompletionMessageParam,
    replaceText: replaceChatText,
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
    read: (item) => {
      const isMessage = "role" in item && item.role;
      const isRead = isMessage || item.type === "function_call_output";
      return { role: isMessage ? item.role : "tool", text: itemText(item), extra: isRead ? "" : otherText(item) };
    },
    mapText: (item, change) => {
      if ("role" in item && "content" in item)
        return { ...item, content: mapContent(item.content, change) } as ResponseInputItem;
      if (item.type !== "function_call_output") return item;
      return { ...item, output: mapContent(item.output, change) } as ResponseInputItem;
    },
    replaceText: replaceItemText,
    write: (content) => ({ role: "user", content }),
  });
}

function callsIn(message: ChatCompletionMessageParam): string {
  return "tool_calls" in message && message.tool_calls ? JSON.stringify(message.tool_calls) : "";
}

/** A call, or what a tool of the API did; what is not a text has no length that could be told. */
function otherText(item: ResponseInputItem): string {
  return JSON.stringify(item, (key, value) => (NO_TEXTS.has(key) ? undefined : value));
}

/** Pictures, files, and reasoning that only the API can read. */
const NO_TEXTS: ReadonlySet<string> = new Set(["image_url", "file_data", "result", "encrypted_content"]);
