import type { ModelMessage } from "ai";
import { isOperationResult, replaceContent, type TurnCall, type TurnResult } from "../adapter/index.ts";
import { type RestoreFile, toOutput } from "./result-files.ts";

/** Returns all text in a message that a model reads. */
export function textOf({ content }: ModelMessage): string {
  if (typeof content === "string") return content;
  return content.map(partText).filter(Boolean).join("\n");
}

type Part = Exclude<ModelMessage["content"], string>[number];

function partText(part: Part): string {
  if (part.type === "text" || part.type === "reasoning") return part.text;
  if (part.type !== "tool-result") return "";
  const { output } = part;
  if (output.type === "text" || output.type === "error-text") return output.value;
  if (output.type === "content") return output.value.map((one) => (one.type === "text" ? one.text : "")).join("\n");
  return "value" in output ? JSON.stringify(output.value) : "";
}

/** Returns the calls and the results in a message. */
export function callsIn({ content }: ModelMessage): { readonly calls: TurnCall[]; readonly results: TurnResult[] } {
  const parts: readonly Part[] = typeof content === "string" ? [] : content;
  const calls = parts.filter((part) => part.type === "tool-call");
  const results = parts.filter((part) => part.type === "tool-result");
  return {
    calls: calls.map(({ toolCallId: id, toolName: name, input }) => ({ id, name, input })),
    results: results.map((part) => ({ id: part.toolCallId, text: partText(part) })),
  };
}

/** Returns the message with these results, by the id of the call. */
export function replaceResults(message: ModelMessage, replaced: ReadonlyMap<string, string>): ModelMessage {
  if (typeof message.content === "string") return message;
  const content = message.content.map((part: Part): Part => {
    const value = part.type === "tool-result" ? replaced.get(part.toolCallId) : undefined;
    return value === undefined ? part : ({ ...part, output: { type: "text", value } } as Part);
  });
  return { ...message, content } as ModelMessage;
}

/** Returns the message with each of its texts changed. */
export function mapText(message: ModelMessage, change: (text: string) => string): ModelMessage {
  const { content } = message;
  if (typeof content === "string") return { ...message, content: change(content) } as ModelMessage;
  const parts = content.map((part: Part): Part => {
    if (part.type === "text") return { ...part, text: change(part.text) };
    if (part.type !== "tool-result") return part;
    const { output } = part;
    if (output.type === "text" || output.type === "error-text")
      return { ...part, output: { ...output, value: change(output.value) } };
    if (output.type !== "content") return part;
    const value = output.value.map((one) => (one.type === "text" ? { ...one, text: change(one.text) } : one));
    return { ...part, output: { ...output, value } };
  });
  return { ...message, content: parts } as ModelMessage;
}

/** Returns a user's message with its texts replaced; pictures and files stay, and a string stays a string. */
export function replaceText(message: ModelMessage, texts: readonly string[]): ModelMessage {
  if (message.role !== "user") return message;
  return { ...message, content: replaceContent(message.content, texts, "text") } as ModelMessage;
}

/** `convertToModelMessages` leaves results as JSON, unless it is given the tools; the model got them as text. */
export async function resultsAsText(
  message: ModelMessage,
  isOwn: (tool: string) => boolean,
  restore: RestoreFile,
): Promise<ModelMessage> {
  if (message.role !== "tool") return message;
  const content = message.content.map(async (part) => {
    if (part.type !== "tool-result" || part.output.type !== "json" || isOwn(part.toolName)) return part;
    const value: unknown = part.output.value;
    return isOperationResult(value) ? { ...part, output: await toOutput(value, restore) } : part;
  });
  return { ...message, content: await Promise.all(content) };
}
