import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "./json.ts";

/** The API of a request. */
export type WireName = "anthropic-messages" | "openai-chat" | "openai-responses" | "gemini-generate";

/** A received request, with a view that is the same for every API. */
export interface ReceivedRequest {
  readonly wire: WireName;
  readonly path: string;
  /** Lowercase names, without headers that contain keys or cookies. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly model: string;
  /** All text of the system and developer roles, wherever it occurs in the request. */
  readonly system: string;
  /** Names of the available tools; `namespace__name` for tools in a namespace. */
  readonly tools: readonly string[];
  /** Texts of the user and the model, in order, without empty ones. */
  readonly messages: readonly ModelMessage[];
  /** Results of all calls in the conversation so far, the newest last. */
  readonly toolResults: readonly ToolResultView[];
  /** Images and files in the conversation so far, in order. */
  readonly files: readonly FileView[];
  /** Whether this is a side request, for a title or a review. Side requests play no step. */
  readonly side: boolean;
  /** Index of the step that answers the request; absent for a side request. */
  readonly step?: number;
}

export interface ModelMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

export interface ToolResultView {
  /** Empty if the API does not name the call. */
  readonly id: string;
  readonly name?: string;
  readonly text: string;
  /** Always false in the two OpenAI APIs, which have no such field. */
  readonly isError: boolean;
}

/** An image or a file in a request. */
export interface FileView {
  readonly kind: "image" | "file";
  readonly mediaType: string;
  /** The name of the file, where the API has one. */
  readonly name?: string;
  readonly bytes: Uint8Array;
}

/** Returns the headers without those that contain secrets. */
export function publicHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || SECRET.test(name)) continue;
    kept[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return kept;
}

/** Returns the path without the key in its query. */
export function publicPath(url: URL): string {
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => !SECRET.test(name)));
  return query.size === 0 ? url.pathname : `${url.pathname}?${query}`;
}

const SECRET = /auth|cookie|key|token|secret|password/i;
