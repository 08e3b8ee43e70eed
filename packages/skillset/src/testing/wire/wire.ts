import { randomBytes } from "node:crypto";
import type { OfferedTool } from "./find-tool.ts";
import type { JsonObject } from "./json.ts";
import type { ModelMessage, ToolResultView, WireName } from "./model-request.ts";

/** How one HTTP API is read and written. */
export interface Wire {
  readonly name: WireName;
  /** What the ids of answers and of calls begin with. */
  readonly prefixes: { readonly answer: string; readonly call: string };
  /** The field that a request must have. */
  readonly required: "messages" | "input" | "contents";
  read(body: JsonObject): WireReading;
  whole(answer: Answer): JsonObject;
  events(answer: Answer): readonly ServerSentEvent[];
  error(status: number, message: string): JsonObject;
  /** The answer to a request for the number of tokens, in the APIs that have one. */
  tokens?(count: number): JsonObject;
}

/** What a request says, in terms that all APIs share. */
export interface WireReading {
  readonly system: string;
  readonly tools: readonly OfferedTool[];
  readonly messages: readonly ModelMessage[];
  readonly toolResults: readonly ToolResultView[];
  /** What the model said and called before, one entry a turn or a part of one. */
  readonly turns: readonly PastTurn[];
  /** The JSON schema that the answer must follow; an empty one where any JSON will do. */
  readonly schema?: JsonObject;
}

/** A trace of an earlier answer in a request. */
export interface PastTurn {
  readonly text?: string;
  /** Ids of calls, or of the answer itself. */
  readonly ids?: readonly string[];
  /** Calls that came back without an id. */
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
}

/** What is to be sent. */
export interface Answer {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly calls: readonly AnswerCall[];
  readonly usage: { readonly input: number; readonly output: number };
  /** The request's own body, for options such as `stream_options`. */
  readonly body: JsonObject;
}

export interface AnswerCall {
  readonly id: string;
  readonly tool: OfferedTool;
  readonly input: Readonly<Record<string, unknown>> | string;
}

export interface ServerSentEvent {
  readonly event?: string;
  readonly data: JsonObject | "[DONE]";
}

/** An id that no other server gives, so that a resumed conversation is never mistaken for this script's. */
export function newId(prefix: string): string {
  return `${prefix}${randomBytes(12).toString("hex")}`;
}

/** The text in small pieces, as a model streams it: a client that takes the first piece for all of it shows. */
export function pieces(text: string): readonly string[] {
  return text.match(/.{1,16}/gsu) ?? [];
}

/** A call's input as the JSON text that the OpenAI APIs want, or the text of a freeform tool as it is. */
export function inputText({ input }: AnswerCall): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

/** A call's input as the JSON object that the other APIs want. */
export function inputObject({ input }: AnswerCall): JsonObject {
  return typeof input === "string" ? { input } : input;
}

/** Texts of parts such as `{ type: "text", text }`, or a content that is text itself. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return joinTexts(content.map((part) => (typeof part === "string" ? part : part?.text)));
}

/** The texts that are there, a line each. */
export function joinTexts(texts: readonly unknown[]): string {
  return texts.filter((text) => typeof text === "string" && text !== "").join("\n");
}
