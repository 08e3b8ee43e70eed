import type { JsonObject } from "./json.ts";
import { type Answer, type AnswerCall, inputText, pieces, type ServerSentEvent } from "./wire.ts";

/** Returns an answer as one Response object. */
export function wholeResponse(answer: Answer): JsonObject {
  return response(answer, endOf(answer), outputItems(answer));
}

/** Returns an answer as the stream that builds the Response item by item, and each item piece by piece. */
export function responseEvents(answer: Answer): readonly ServerSentEvent[] {
  const items = outputItems(answer);
  const started = response(answer, "in_progress", []);
  return [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    ...items.flatMap(({ finished, begun, between }, output_index) => [
      { type: "response.output_item.added", output_index, item: begun },
      ...between.map((event) => ({ ...event, output_index, item_id: finished.id })),
      { type: "response.output_item.done", output_index, item: finished },
    ]),
    { type: `response.${endOf(answer)}`, response: response(answer, endOf(answer), items) },
  ].map((event, index) => ({ event: event.type, data: { ...event, sequence_number: index } }));
}

interface OutputItem {
  readonly finished: JsonObject;
  /** The item before its content is streamed. */
  readonly begun: JsonObject;
  /** The events between the two states. */
  readonly between: readonly ({ readonly type: string } & JsonObject)[];
}

/** Returns the id of the answer or call from an item's id, because a client may send back only that. */
export function sourceOfItem(id: string): string {
  return id.replace(/^msg_/, "resp_").replace(/^(fc|ctc)_/, "call_");
}

function itemId(prefix: "msg" | "fc" | "ctc", source: string): string {
  return source.replace(/^[a-z]+/, prefix);
}

function outputItems({ id, text, calls }: Answer): readonly OutputItem[] {
  const called = calls.map((call) => (call.tool.freeform ? freeformItem(call) : functionItem(call)));
  return text === "" ? called : [messageItem(id, text), ...called];
}

function messageItem(answerId: string, text: string): OutputItem {
  const part = { type: "output_text", text, annotations: [], logprobs: [] };
  const finished = {
    id: itemId("msg", answerId),
    type: "message",
    status: "completed",
    role: "assistant",
    content: [part],
  };
  const at = { content_index: 0 };
  return {
    finished,
    begun: { ...finished, status: "in_progress", content: [] },
    between: [
      { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
      ...pieces(text).map((delta) => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
      { type: "response.output_text.done", ...at, text, logprobs: [] },
      { type: "response.content_part.done", ...at, part },
    ],
  };
}

function functionItem(call: AnswerCall): OutputItem {
  const json = inputText(call);
  const finished = { ...callItem(call, "fc"), type: "function_call", status: "completed", arguments: json };
  return {
    finished,
    begun: { ...finished, status: "in_progress", arguments: "" },
    between: [
      ...pieces(json).map((delta) => ({ type: "response.function_call_arguments.delta", delta })),
      { type: "response.function_call_arguments.done", name: call.tool.wireName, arguments: json },
    ],
  };
}

function freeformItem(call: AnswerCall): OutputItem {
  const input = inputText(call);
  const finished = { ...callItem(call, "ctc"), type: "custom_tool_call", status: "completed", input };
  return {
    finished,
    begun: { ...finished, status: "in_progress", input: "" },
    between: [
      ...pieces(input).map((delta) => ({ type: "response.custom_tool_call_input.delta", delta })),
      { type: "response.custom_tool_call_input.done", input },
    ],
  };
}

function callItem({ id, tool }: AnswerCall, prefix: "fc" | "ctc"): JsonObject {
  const namespace = tool.namespace === undefined ? {} : { namespace: tool.namespace };
  return { id: itemId(prefix, id), call_id: id, name: tool.wireName, ...namespace };
}

function endOf({ finish }: Answer): "completed" | "incomplete" {
  return finish === undefined ? "completed" : "incomplete";
}

function response(
  answer: Answer,
  status: "in_progress" | "completed" | "incomplete",
  items: readonly OutputItem[],
): JsonObject {
  const { body, usage, finish } = answer;
  const completed = status !== "in_progress";
  const now = Math.floor(Date.now() / 1000);
  return {
    id: answer.id,
    object: "response",
    created_at: now,
    completed_at: completed ? now : null,
    status,
    background: false,
    error: null,
    incomplete_details:
      status === "incomplete" ? { reason: finish === "length" ? "max_output_tokens" : "content_filter" } : null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    model: answer.model,
    output: items.map(({ finished }) => finished),
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: { effort: null, summary: null },
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: body.text ?? { format: { type: "text" } },
    tool_choice: body.tool_choice ?? "auto",
    tools: body.tools ?? [],
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? "disabled",
    usage: completed ? usageOf(usage) : null,
    user: null,
  };
}

function usageOf({ input, output }: Answer["usage"]): JsonObject {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}
