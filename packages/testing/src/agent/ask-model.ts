import { RequestError } from "@agentclientprotocol/sdk";
import { asObject, asObjects, asText, isObject, type JsonObject } from "../wire/json.ts";
import type { AgentTool } from "./agent-servers.ts";

/** A message of OpenAI's Chat Completions API. */
export type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls?: readonly ChatCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

export interface ChatCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ChatAnswer {
  readonly text: string;
  readonly calls: readonly ChatCall[];
  /** Why the answer ended, in the API's words. */
  readonly finish: string;
}

/** Asks a model for the next message. An invalid answer becomes an error that the ACP client receives. */
export async function askModel(
  modelUrl: string,
  messages: readonly ChatMessage[],
  tools: readonly Omit<AgentTool, "call">[],
  signal: AbortSignal,
): Promise<ChatAnswer> {
  const functions = tools.map(({ name, description, inputSchema: parameters }) => {
    return { type: "function", function: { name, description, parameters } };
  });
  const response = await fetch(`${modelUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "test", messages, ...(functions.length > 0 && { tools: functions }) }),
    signal,
  });
  const text = await response.text();
  const body = parse(text);
  if (!response.ok) {
    const reason = asText(asObject(body?.error).message) || text;
    throw RequestError.internalError({ status: response.status }, `The model failed: ${reason}`);
  }
  const choice = asObjects(body?.choices)[0];
  const message = choice?.message;
  if (!isObject(message)) throw RequestError.internalError({}, "The model's answer cannot be read");
  const calls = asObjects(message.tool_calls).map(callOf);
  return { text: asText(message.content), calls, finish: asText(choice?.finish_reason) };
}

function parse(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function callOf({ id, function: called }: JsonObject): ChatCall {
  const { name, arguments: input } = asObject(called);
  return { id: asText(id), type: "function", function: { name: asText(name), arguments: asText(input) } };
}
