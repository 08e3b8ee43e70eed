import type { ModelMessage } from "ai";
import type { OperationResult, SentMessage, TurnMessage } from "../adapter/index.ts";
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

/** Returns the calls in a message, with their arguments. */
export function callsIn({ content }: ModelMessage): string {
  if (typeof content === "string") return "";
  return content.map((part) => (part.type === "tool-call" ? part.toolName + JSON.stringify(part.input) : "")).join("");
}

/** Returns the message as a turn reads it. */
export function toTurnMessage(message: ModelMessage): TurnMessage {
  const parts: readonly Part[] = typeof message.content === "string" ? [] : message.content;
  const calls = parts
    .filter((part) => part.type === "tool-call")
    .map(({ toolCallId: id, toolName: name, input }) => ({ id, name, input }));
  const results = parts
    .filter((part) => part.type === "tool-result")
    .map((part) => ({ id: part.toolCallId, text: partText(part) }));
  return {
    role: message.role,
    text: textOf(message),
    ...(calls.length > 0 && { calls }),
    ...(results.length > 0 && { results }),
  };
}

/** Returns the message as a turn wants it sent. */
export function toSentMessage(message: ModelMessage, { texts, replaced }: SentMessage): ModelMessage {
  return replaced === undefined ? replaceText(message, texts) : replaceResults(message, replaced);
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
export function replaceText(message: ModelMessage, texts: readonly string[] | undefined): ModelMessage {
  if (texts === undefined || message.role !== "user") return message;
  if (typeof message.content === "string") return { ...message, content: texts.join("\n\n") };
  // When only texts are added, the user's own parts keep their options and their order among the pictures.
  if (texts.at(-1) === textOf(message)) {
    const added = texts.slice(0, -1).map((text) => ({ type: "text" as const, text }));
    return { ...message, content: [...added, ...message.content] };
  }
  const others = message.content.filter(({ type }) => type !== "text");
  return { ...message, content: [...texts.map((text) => ({ type: "text" as const, text })), ...others] };
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

function isOperationResult(value: unknown): value is OperationResult {
  const { isError, text, data, code } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof text === "string" &&
    (isError === true ? typeof code === "string" : isError === false && data !== null && typeof data === "object")
  );
}
