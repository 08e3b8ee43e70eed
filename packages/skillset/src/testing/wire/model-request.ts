import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "./json.ts";

/** The API that a request speaks. */
export type WireName = "anthropic-messages" | "openai-chat" | "openai-responses" | "gemini-generate";

/** A request as it came, and a view of it that is the same for every API. */
export interface ReceivedRequest {
  readonly wire: WireName;
  readonly path: string;
  /** Names in lower case; those that carry keys or cookies are left out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly model: string;
  /** Everything said in the system's or the developer's name, wherever it stands in the request. */
  readonly system: string;
  /** The names of the offered tools; those in a namespace are `namespace__name`. */
  readonly tools: readonly string[];
  /** What the user and the model said, in order; empty texts are left out. */
  readonly messages: readonly ModelMessage[];
  /** The results of every call in the conversation so far; the newest is the last. */
  readonly toolResults: readonly ToolResultView[];
  /** Whether the agent asks beside the conversation, for a title or a review; such a request plays no step. */
  readonly side: boolean;
  /** The index of the step that answers it; none for a side request. */
  readonly step?: number;
}

export interface ModelMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

export interface ToolResultView {
  /** Empty where the API names no call. */
  readonly id: string;
  readonly name?: string;
  readonly text: string;
  /** Always false in the two OpenAI APIs, which have no such field. */
  readonly isError: boolean;
}

/** The headers without those that carry secrets. */
export function publicHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || SECRET.test(name)) continue;
    kept[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return kept;
}

/** The path without a key in its query. */
export function publicPath(url: URL): string {
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => !SECRET.test(name)));
  return query.size === 0 ? url.pathname : `${url.pathname}?${query}`;
}

const SECRET = /auth|cookie|key|token|secret|password/i;
