import { randomBytes } from "node:crypto";
import type { OfferedTool } from "./find-tool.ts";
import type { JsonObject } from "./json.ts";
import type { ModelMessage, ToolResultView, WireName } from "./model-request.ts";

/** Reads and writes one HTTP API. */
export interface Wire {
  readonly name: WireName;
  /** Prefixes of the ids of answers and calls. */
  readonly prefixes: { readonly answer: string; readonly call: string };
  /** The field that a request must have. */
  readonly required: "messages" | "input" | "contents";
  read(body: JsonObject): WireReading;
  whole(answer: Answer): JsonObject;
  events(answer: Answer): readonly ServerSentEvent[];
  error(status: number, message: string): JsonObject;
  /** Answers a request for the number of tokens, in APIs that have one. */
  tokens?(count: number): JsonObject;
}

/** A request in terms that all APIs share. */
export interface WireReading {
  readonly system: string;
  readonly tools: readonly OfferedTool[];
  readonly messages: readonly ModelMessage[];
  readonly toolResults: readonly ToolResultView[];
  /** The model's earlier texts and calls, one entry for each turn or part of one. */
  readonly turns: readonly PastTurn[];
  /** JSON schema for the answer; empty if any JSON is valid. */
  readonly schema?: JsonObject;
}

/** A trace of an earlier answer in a request. */
export interface PastTurn {
  readonly text?: string;
  /** Ids of calls, or of the answer. */
  readonly ids?: readonly string[];
  /** Calls without an id. */
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
}

/** An answer to send. */
export interface Answer {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly calls: readonly AnswerCall[];
  /** Why the answer ends early, if it does. */
  readonly finish?: "length" | "refused" | undefined;
  readonly usage: { readonly input: number; readonly output: number };
  /** The request's body, for options such as `stream_options`. */
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

/** Returns a globally unique id, so that a resumed conversation is never mistaken for this script's. */
export function newId(prefix: string): string {
  return `${prefix}${randomBytes(12).toString("hex")}`;
}

/** Splits a text into small pieces, as a model streams it, so that clients that read only the first piece fail. */
export function pieces(text: string): readonly string[] {
  return text.match(/.{1,16}/gsu) ?? [];
}

/** Returns a call's input as JSON text for the OpenAI APIs, or unchanged for a freeform tool. */
export function inputText({ input }: AnswerCall): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

/** Returns a call's input as a JSON object for the other APIs. */
export function inputObject({ input }: AnswerCall): JsonObject {
  return typeof input === "string" ? { input } : input;
}

/** Returns the texts of parts such as `{ type: "text", text }`, or the content if it is a string. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return joinTexts(content.map((part) => (typeof part === "string" ? part : part?.text)));
}

/** Joins the texts that exist, one per line. */
export function joinTexts(texts: readonly unknown[]): string {
  return texts.filter((text) => typeof text === "string" && text !== "").join("\n");
}
