import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import {
  contentText,
  estimateFileTokens,
  type MessageShape,
  mapContent,
  replaceContent,
  type TurnCall,
  type TurnResult,
} from "../adapter/index.ts";
import { filesIn, isFilesMessage, withoutFiles } from "./file-parts.ts";

/** Reads and writes messages of the Chat Completions API. */
export const CHAT_SHAPE: MessageShape<ChatCompletionMessageParam> = {
  read: (message) => ({
    role: isFilesMessage(message) ? "tool" : message.role,
    text: contentText(message.content),
    extra: callsIn(message),
    fileTokens: fileTokens(message.content),
    calls: toolCalls(message),
    results: chatResults(message),
  }),
  mapText: (message, change) =>
    ({ ...message, content: mapContent(message.content, change) }) as ChatCompletionMessageParam,
  replaceText: (message, texts) =>
    ({ ...message, content: replaceContent(message.content, texts, "text") }) as ChatCompletionMessageParam,
  replaceResults: (message, replaced) => {
    if (isFilesMessage(message)) return withoutFiles(message, (label) => replaced.get(label));
    const text = message.role === "tool" ? replaced.get(message.tool_call_id) : undefined;
    return text === undefined ? message : ({ ...message, content: text } as ChatCompletionMessageParam);
  },
  write: (content) => ({ role: "user", content }),
};

/** Reads and writes items of the Responses API. */
export const RESPONSE_SHAPE: MessageShape<ResponseInputItem> = {
  read: (item) => {
    const isMessage = "role" in item && item.role;
    const isRead = isMessage || item.type === "function_call_output";
    return {
      role: isMessage ? item.role : "tool",
      text: itemText(item),
      extra: isRead ? "" : otherText(item),
      fileTokens: fileTokens("content" in item ? item.content : "output" in item ? item.output : undefined),
      ...("type" in item &&
        item.type === "function_call" && { calls: [{ id: item.call_id, name: item.name, input: item.arguments }] }),
      ...("type" in item &&
        item.type === "function_call_output" && { results: [{ id: item.call_id ?? "", text: itemText(item) }] }),
    };
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
  replaceResults: (item, replaced) => {
    const output =
      "type" in item && item.type === "function_call_output" ? replaced.get(item.call_id ?? "") : undefined;
    return output === undefined ? item : ({ ...item, output } as ResponseInputItem);
  },
  write: (content) => ({ role: "user", content }),
};

/** Returns all text in an item that a model reads. */
function itemText(item: ResponseInputItem): string {
  if ("role" in item && "content" in item) return contentText(item.content);
  return item.type === "function_call_output" ? contentText(item.output) : "";
}

function toolCalls(message: ChatCompletionMessageParam): TurnCall[] {
  if (!("tool_calls" in message)) return [];
  return (message.tool_calls ?? []).flatMap((call) =>
    call.type === "function" ? [{ id: call.id, name: call.function.name, input: call.function.arguments }] : [],
  );
}

function chatResults(message: ChatCompletionMessageParam): TurnResult[] {
  if (message.role === "tool") return [{ id: message.tool_call_id, text: contentText(message.content) }];
  return isFilesMessage(message) ? filesIn(message) : [];
}

function callsIn(message: ChatCompletionMessageParam): string {
  return "tool_calls" in message && message.tool_calls ? JSON.stringify(message.tool_calls) : "";
}

/** Estimates the tokens of images and files, in the parts of either API. */
function fileTokens(content: unknown): number {
  if (!Array.isArray(content)) return 0;
  return content.reduce((sum: number, part: object) => {
    const { type, image_url: image, file, ...rest } = part as FilePart;
    if (type === "image_url" || type === "input_image") return sum + estimateFileTokens("image/png", urlOf(image));
    if (type !== "file" && type !== "input_file") return sum;
    const data = file?.file_data ?? rest.file_data ?? "";
    return sum + estimateFileTokens(/^data:([^;,]+)/.exec(data)?.[1] ?? "application/pdf", data);
  }, 0);
}

interface FilePart {
  readonly type?: string;
  readonly image_url?: string | { readonly url?: string } | null;
  readonly file?: { readonly file_data?: string };
  readonly file_data?: string;
}

function urlOf(image: FilePart["image_url"]): string {
  return typeof image === "string" ? image : (image?.url ?? "");
}

/** Returns a call, or the output of a tool that the API ran, without values whose length says nothing about tokens. */
function otherText(item: ResponseInputItem): string {
  return JSON.stringify(item, (key, value) => (NO_TEXTS.has(key) ? undefined : value));
}

/** Pictures, files, and reasoning that only the API can decode. */
const NO_TEXTS: ReadonlySet<string> = new Set(["image_url", "file_data", "result", "encrypted_content"]);
