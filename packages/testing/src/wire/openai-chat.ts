import { asObject, asObjects, asText, type JsonObject } from "./json.ts";
import type { ModelMessage, ToolResultView } from "./model-request.ts";
import { openaiError } from "./openai-error.ts";
import {
  type Answer,
  contentText,
  inputObject,
  joinTexts,
  type PastTurn,
  pieces,
  type ServerSentEvent,
  type Wire,
  type WireReading,
} from "./wire.ts";

/** OpenAI's Chat Completions API, which most other vendors support too: `POST /v1/chat/completions`. */
export const openaiChat: Wire = {
  name: "openai-chat",
  prefixes: { answer: "chatcmpl-", call: "call_" },
  required: "messages",
  read,
  whole,
  events,
  error: openaiError,
};

function read(body: JsonObject): WireReading {
  const system: string[] = [];
  const messages: ModelMessage[] = [];
  const toolResults: ToolResultView[] = [];
  const turns: PastTurn[] = [];
  const names = new Map<string, string>();
  for (const message of asObjects(body.messages)) {
    const text = contentText(message.content);
    if (message.role === "system" || message.role === "developer") system.push(text);
    else if (message.role === "tool") {
      const id = asText(message.tool_call_id);
      const name = names.get(id);
      toolResults.push({ id, ...(name ? { name } : {}), text, isError: false });
    } else if (message.role === "assistant") {
      const calls = asObjects(message.tool_calls);
      for (const { id, function: called } of calls) names.set(asText(id), asText(asObject(called).name));
      if (text !== "") messages.push({ role: "assistant", text });
      turns.push({ text, ids: calls.map(({ id }) => asText(id)) });
    } else if (text !== "") messages.push({ role: "user", text });
  }
  const schema = schemaOf(asObject(body.response_format));
  return { system: joinTexts(system), tools: toolsOf(body), messages, toolResults, turns, schema };
}

function toolsOf(body: JsonObject) {
  return asObjects(body.tools)
    .map(({ function: declared }) => asText(asObject(declared).name))
    .filter((name) => name !== "")
    .map((name) => ({ name, wireName: name }));
}

function schemaOf(format: JsonObject): JsonObject | undefined {
  if (format.type === "json_schema") return asObject(asObject(format.json_schema).schema);
  return format.type === "json_object" ? {} : undefined;
}

function whole(answer: Answer): JsonObject {
  const toolCalls = answer.calls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.tool.wireName, arguments: JSON.stringify(inputObject(call)) },
  }));
  const message = {
    role: "assistant",
    content: answer.text === "" ? null : answer.text,
    refusal: null,
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  return {
    ...head(answer, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(answer) }],
    usage: usageOf(answer),
  };
}

function events(answer: Answer): readonly ServerSentEvent[] {
  const wantsUsage = asObject(answer.body.stream_options).include_usage === true;
  const chunk = (delta: JsonObject, reason: string | null = null) => ({
    ...head(answer, "chat.completion.chunk"),
    choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
    ...(wantsUsage ? { usage: null } : {}),
  });
  const chunks: JsonObject[] = [
    chunk({ role: "assistant", content: answer.text === "" ? null : "", refusal: null }),
    ...pieces(answer.text).map((content) => chunk({ content })),
    ...callDeltas(answer).map((delta) => chunk({ tool_calls: [delta] })),
    chunk({}, finishReason(answer)),
  ];
  if (wantsUsage) chunks.push({ ...head(answer, "chat.completion.chunk"), choices: [], usage: usageOf(answer) });
  return [...chunks.map((data) => ({ data })), { data: "[DONE]" }];
}

/** The first piece of a call has its id and name; the others only have text for the index. */
function callDeltas(answer: Answer): readonly JsonObject[] {
  return answer.calls.flatMap((call, index) => [
    { index, id: call.id, type: "function", function: { name: call.tool.wireName, arguments: "" } },
    ...pieces(JSON.stringify(inputObject(call))).map((text) => ({ index, function: { arguments: text } })),
  ]);
}

function head(answer: Answer, object: string): JsonObject {
  const created = Math.floor(Date.now() / 1000);
  return { id: answer.id, object, created, model: answer.model, system_fingerprint: "fp_scripted" };
}

function finishReason({ calls, finish }: Answer): string {
  if (finish !== undefined) return finish === "length" ? "length" : "content_filter";
  return calls.length > 0 ? "tool_calls" : "stop";
}

function usageOf({ usage }: Answer): JsonObject {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}
