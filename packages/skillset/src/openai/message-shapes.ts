import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { contentText, type MessageShape, mapContent, replaceContent } from "../adapter/index.ts";

/** Reads and writes messages of the Chat Completions API. */
export const CHAT_SHAPE: MessageShape<ChatCompletionMessageParam> = {
  read: (message) => ({ role: message.role, text: contentText(message.content), extra: callsIn(message) }),
  mapText: (message, change) =>
    ({ ...message, content: mapContent(message.content, change) }) as ChatCompletionMessageParam,
  replaceText: (message, texts) =>
    ({ ...message, content: replaceContent(message.content, texts, "text") }) as ChatCompletionMessageParam,
  write: (content) => ({ role: "user", content }),
};

/** Reads and writes items of the Responses API. */
export const RESPONSE_SHAPE: MessageShape<ResponseInputItem> = {
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
  replaceText: (item, texts) => {
    const { content } = item as { readonly content: string };
    return { ...item, content: replaceContent(content, texts, "input_text") } as ResponseInputItem;
  },
  write: (content) => ({ role: "user", content }),
};

/** Returns all text in an item that a model reads. */
function itemText(item: ResponseInputItem): string {
  if ("role" in item && "content" in item) return contentText(item.content);
  return item.type === "function_call_output" ? contentText(item.output) : "";
}

function callsIn(message: ChatCompletionMessageParam): string {
  return "tool_calls" in message && message.tool_calls ? JSON.stringify(message.tool_calls) : "";
}

/** Returns a call, or the output of a tool that the API ran, without values whose length says nothing about tokens. */
function otherText(item: ResponseInputItem): string {
  return JSON.stringify(item, (key, value) => (NO_TEXTS.has(key) ? undefined : value));
}

/** Pictures, files, and reasoning that only the API can decode. */
const NO_TEXTS: ReadonlySet<string> = new Set(["image_url", "file_data", "result", "encrypted_content"]);
