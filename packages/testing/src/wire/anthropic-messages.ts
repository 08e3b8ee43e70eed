import { asObject, asObjects, asText, type JsonObject } from "./json.ts";
import type { ModelMessage, ToolResultView } from "./model-request.ts";
import {
  type Answer,
  contentText,
  inputObject,
  joinTexts,
  newId,
  type PastTurn,
  pieces,
  type ServerSentEvent,
  type Wire,
  type WireReading,
} from "./wire.ts";

/** Anthropic's Messages API: `POST /v1/messages`. */
export const anthropicMessages: Wire = {
  name: "anthropic-messages",
  prefixes: { answer: "msg_", call: "toolu_" },
  required: "messages",
  read,
  whole: (answer) => message(answer, content(answer), stopReason(answer), answer.usage.output),
  events,
  error: (status, text) => ({
    type: "error",
    error: { type: ERROR_TYPES[status] ?? (status < 500 ? "invalid_request_error" : "api_error"), message: text },
    request_id: newId("req_"),
  }),
  tokens: (count) => ({ input_tokens: count }),
};

function read(body: JsonObject): WireReading {
  const system = [contentText(body.system)];
  const messages: ModelMessage[] = [];
  const toolResults: ToolResultView[] = [];
  const turns: PastTurn[] = [];
  const names = new Map<string, string>();
  for (const { role, content } of asObjects(body.messages)) {
    const blocks = asObjects(content);
    const text = typeof content === "string" ? content : contentText(blocks.filter(({ type }) => type === "text"));
    if (role === "system") {
      system.push(text);
      continue;
    }
    if (text !== "") messages.push({ role: role === "assistant" ? "assistant" : "user", text });
    if (role === "assistant") {
      const calls = blocks.filter(({ type }) => type === "tool_use");
      for (const { id, name } of calls) names.set(asText(id), asText(name));
      turns.push({ text, ids: calls.map(({ id }) => asText(id)) });
    }
    for (const block of blocks.filter(({ type }) => type === "tool_result")) toolResults.push(toolResult(block, names));
  }
  const format = asObject(asObject(body.output_config).format ?? body.output_format);
  return {
    system: joinTexts(system),
    tools: asObjects(body.tools).map(({ name }) => ({ name: asText(name), wireName: asText(name) })),
    messages,
    toolResults,
    turns,
    ...(format.type === "json_schema" ? { schema: asObject(format.schema) } : {}),
  };
}

function toolResult(block: JsonObject, names: ReadonlyMap<string, string>): ToolResultView {
  const id = asText(block.tool_use_id);
  const name = names.get(id);
  return { id, ...(name ? { name } : {}), text: contentText(block.content), isError: block.is_error === true };
}

function events(answer: Answer): readonly ServerSentEvent[] {
  const blocks = content(answer).flatMap((block, index) => [
    { type: "content_block_start", index, content_block: emptied(block) },
    ...deltas(block).map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ]);
  const usage = usageOf(answer, answer.usage.output);
  return [
    { type: "message_start", message: message(answer, [], null, 1) },
    { type: "ping" },
    ...blocks,
    { type: "message_delta", delta: { stop_reason: stopReason(answer), stop_sequence: null }, usage },
    { type: "message_stop" },
  ].map((data) => ({ event: data.type, data }));
}

type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: JsonObject };

function content(answer: Answer): readonly Block[] {
  const calls = answer.calls.map((call): Block => {
    return { type: "tool_use", id: call.id, name: call.tool.wireName, input: inputObject(call) };
  });
  return answer.text === "" ? calls : [{ type: "text", text: answer.text }, ...calls];
}

function emptied(block: Block): Block {
  return block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
}

function deltas(block: Block): readonly JsonObject[] {
  if (block.type === "text") return pieces(block.text).map((text) => ({ type: "text_delta", text }));
  // The real API starts with an empty piece.
  return ["", ...pieces(JSON.stringify(block.input))].map((json) => ({ type: "input_json_delta", partial_json: json }));
}

function message(answer: Answer, blocks: readonly Block[], reason: string | null, output: number): JsonObject {
  return {
    id: answer.id,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: blocks,
    stop_reason: reason,
    stop_sequence: null,
    usage: usageOf(answer, output),
  };
}

function usageOf({ usage }: Answer, output: number): JsonObject {
  return {
    input_tokens: usage.input,
    output_tokens: output,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    service_tier: "standard",
  };
}

function stopReason({ calls, finish }: Answer): string {
  if (finish !== undefined) return finish === "length" ? "max_tokens" : "refusal";
  return calls.length > 0 ? "tool_use" : "end_turn";
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};
