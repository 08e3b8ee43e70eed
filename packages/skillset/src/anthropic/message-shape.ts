import type { ContentBlockParam, MessageParam } from "@anthropic-ai/sdk/resources/messages";
import { contentText, estimateFileTokens, type MessageShape, mapContent, replaceContent } from "../adapter/index.ts";

/** Reads and writes messages of the Messages API. */
export const MESSAGE_SHAPE: MessageShape<MessageParam> = {
  read: (message) => {
    const blocks = blocksOf(message);
    // The API has no role for tools: results are in a message of the user.
    const isResult = blocks.some(({ type }) => type === "tool_result");
    return {
      role: isResult ? "tool" : message.role,
      text: blocks.map(textOf).filter(Boolean).join("\n"),
      extra: blocks.map(otherText).join(""),
      fileTokens: blocks.reduce((sum, block) => sum + fileTokens(block), 0),
      calls: blocks.filter((block) => block.type === "tool_use"),
      results: blocks
        .filter((block) => block.type === "tool_result")
        .map((block) => ({ id: block.tool_use_id, text: textOf(block) })),
    };
  },
  mapText: (message, change) => {
    if (typeof message.content === "string") return { ...message, content: change(message.content) };
    const content = blocksOf(message).map((block) => {
      if (block.type === "text") return { ...block, text: change(block.text) };
      return block.type === "tool_result" ? { ...block, content: mapContent(block.content, change) } : block;
    });
    return { ...message, content } as MessageParam;
  },
  replaceText: (message, texts) =>
    ({ ...message, content: replaceContent(message.content, texts, "text") }) as MessageParam,
  replaceResults: (message, replaced) => {
    const content = blocksOf(message).map((block) => {
      const text = block.type === "tool_result" ? replaced.get(block.tool_use_id) : undefined;
      return text === undefined ? block : { ...block, content: text };
    });
    return { ...message, content } as MessageParam;
  },
  write: (content) => ({ role: "user", content }),
};

/** Returns the blocks of a message. A string is one block of text. */
export function blocksOf({ content }: MessageParam): readonly ContentBlockParam[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function textOf(block: ContentBlockParam): string {
  if (block.type === "text") return block.text;
  return block.type === "tool_result" ? contentText(block.content) : "";
}

/** Estimates the tokens of images and documents, also of those in results. */
function fileTokens(block: ContentBlockParam): number {
  if (block.type === "tool_result" && typeof block.content === "object")
    return block.content.reduce((sum, part) => sum + fileTokens(part as ContentBlockParam), 0);
  if (block.type !== "image" && block.type !== "document") return 0;
  const { source } = block;
  if (source.type === "text") return estimateFileTokens(source.media_type, source.data.length);
  const kind = block.type === "image" ? "image/png" : "application/pdf";
  return source.type === "base64" ? estimateFileTokens(kind, source.data) : estimateFileTokens(kind, 1);
}

/** Returns a call, thoughts, or the output of a tool that the API ran, without values whose length says nothing about tokens. */
function otherText(block: ContentBlockParam): string {
  if (["text", "tool_result", "image", "document"].includes(block.type)) return "";
  return JSON.stringify(block, (key, value) => (NO_TEXTS.has(key) ? undefined : value));
}

/** Pictures, files, and what only the API can decode. */
const NO_TEXTS: ReadonlySet<string> = new Set(["data", "signature", "encrypted_content", "encrypted_stdout"]);
