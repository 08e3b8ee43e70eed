import { describe, expect, test } from "vitest";
import { asObject, asObjects, asText, type JsonObject } from "../wire/json.ts";
import type { WireName } from "../wire/model-request.ts";
import { startScriptedModel } from "./scripted-model.ts";

/** A minimal client of an API, written from the API's documentation. */
interface Client {
  readonly wire: WireName;
  path(streamed: boolean): string;
  body(history: readonly JsonObject[], tools: readonly string[]): JsonObject;
  user(text: string): JsonObject;
  /** Returns what the client adds to its history after an answer. */
  turn(reply: Reply, results: readonly string[]): readonly JsonObject[];
  whole(json: JsonObject): Reply;
  streamed(events: readonly JsonObject[]): Reply;
  /** The fields that make a request ask for JSON. */
  schema(schema: JsonObject): JsonObject;
  readonly error: JsonObject;
}

interface Reply {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly tokens: unknown;
}

const anthropic: Client = {
  wire: "anthropic-messages",
  path: () => "/v1/messages?beta=true",
  body: (messages, tools) => ({
    model: "m",
    max_tokens: 100,
    system: [{ type: "text", text: "Be brief." }],
    messages,
    tools: tools.map((name) => ({ name, input_schema: { type: "object" } })),
  }),
  user: (content) => ({ role: "user", content }),
  turn: ({ text, calls }, results) => [
    {
      role: "assistant",
      content: [...(text ? [{ type: "text", text }] : []), ...calls.map((call) => ({ type: "tool_use", ...call }))],
    },
    {
      role: "user",
      content: calls.map(({ id }, index) => ({
        type: "tool_result",
        tool_use_id: id,
        content: [{ type: "text", text: results[index] }],
      })),
    },
  ],
  whole: (json) => ({
    text: asObjects(json.content)
      .map(({ text }) => asText(text))
      .join(""),
    calls: asObjects(json.content)
      .filter(({ type }) => type === "tool_use")
      .map(({ id, name, input }) => ({ id: asText(id), name: asText(name), input })),
    tokens: asObject(json.usage).output_tokens,
  }),
  streamed(events) {
    const blocks = events
      .filter(({ type }) => type === "content_block_start")
      .map(({ index, content_block }) => {
        const deltas = events.filter((event) => event.type === "content_block_delta" && event.index === index);
        const joined = deltas.map(({ delta }) => asText(asObject(delta).text ?? asObject(delta).partial_json)).join("");
        const block = asObject(content_block);
        return block.type === "text" ? { ...block, text: joined } : { ...block, input: JSON.parse(joined) };
      });
    return this.whole({ content: blocks, usage: events.find(({ type }) => type === "message_delta")?.usage });
  },
  schema: (schema) => ({ output_config: { format: { type: "json_schema", schema } } }),
  error: { type: "error", error: { type: "rate_limit_error", message: "Slow down." } },
};

const chat: Client = {
  wire: "openai-chat",
  path: () => "/v1/chat/completions",
  body: (messages, tools) => ({
    model: "m",
    messages: [{ role: "system", content: "Be brief." }, ...messages],
    tools: tools.map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } })),
    stream_options: { include_usage: true },
  }),
  user: (content) => ({ role: "user", content }),
  turn: ({ text, calls }, results) => [
    {
      role: "assistant",
      content: text,
      tool_calls: calls.map(({ id, name, input }) => {
        return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
      }),
    },
    ...calls.map(({ id }, index) => ({ role: "tool", tool_call_id: id, content: results[index] })),
  ],
  whole(json) {
    const message = asObject(asObjects(json.choices)[0]?.message);
    const calls = asObjects(message.tool_calls).map(({ id, function: called }) => {
      const { name, arguments: json } = asObject(called);
      return { id: asText(id), name: asText(name), input: JSON.parse(asText(json)) };
    });
    return { text: asText(message.content), calls, tokens: asObject(json.usage).completion_tokens };
  },
  streamed(events) {
    const deltas = events.map(({ choices }) => asObject(asObjects(choices)[0]?.delta));
    const calls: { id: unknown; function: { name: unknown; arguments: string } }[] = [];
    for (const { index, id, function: called } of deltas.flatMap((delta) => asObjects(delta.tool_calls))) {
      const { name, arguments: json } = asObject(called);
      calls[Number(index)] ??= { id, function: { name, arguments: "" } };
      const call = calls[Number(index)];
      if (call !== undefined) call.function.arguments += asText(json);
    }
    const content = deltas.map((delta) => asText(delta.content)).join("");
    return this.whole({ choices: [{ message: { content, tool_calls: calls } }], usage: events.at(-1)?.usage });
  },
  schema: (schema) => ({ response_format: { type: "json_schema", json_schema: { name: "s", schema } } }),
  error: { error: { message: "Slow down.", type: "rate_limit_error", param: null, code: "rate_limit_exceeded" } },
};

const responses: Client = {
  wire: "openai-responses",
  path: () => "/v1/responses",
  body: (input, tools) => ({
    model: "m",
    instructions: "Be brief.",
    input,
    tools: tools.map((name) => ({ type: "function", name, parameters: { type: "object" } })),
  }),
  user: (text) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] }),
  turn: ({ text, calls }, results) => [
    ...(text ? [{ type: "message", role: "assistant", content: [{ type: "output_text", text }] }] : []),
    ...calls.map(({ id, name, input }) => {
      return { type: "function_call", call_id: id, name, arguments: JSON.stringify(input) };
    }),
    ...calls.map(({ id }, index) => ({ type: "function_call_output", call_id: id, output: results[index] })),
  ],
  whole: ({ output, usage }) => ({
    text: asObjects(output)
      .flatMap(({ content }) => asObjects(content))
      .map(({ text }) => asText(text))
      .join(""),
    calls: asObjects(output)
      .filter(({ type }) => type === "function_call")
      .map(({ call_id, name, arguments: json }) => {
        return { id: asText(call_id), name: asText(name), input: JSON.parse(asText(json)) };
      }),
    tokens: asObject(usage).output_tokens,
  }),
  streamed(events) {
    const completed = this.whole(asObject(events.at(-1)?.response));
    const pieces = events.filter(({ type }) => type === "response.output_text.delta");
    expect(pieces.map(({ delta }) => delta).join("")).toBe(completed.text);
    return completed;
  },
  schema: (schema) => ({ text: { format: { type: "json_schema", name: "s", schema } } }),
  error: chat.error,
};

const gemini: Client = {
  wire: "gemini-generate",
  path: (streamed) => `/v1beta/models/m:${streamed ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  body: (contents, tools) => ({
    systemInstruction: { parts: [{ text: "Be brief." }] },
    contents,
    tools: [{ functionDeclarations: tools.map((name) => ({ name })) }],
  }),
  user: (text) => ({ role: "user", parts: [{ text }] }),
  // Without ids, as in older clients.
  turn: ({ text, calls }, results) => [
    {
      role: "model",
      parts: [
        ...(text ? [{ text }] : []),
        ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
      ],
    },
    {
      role: "user",
      parts: calls.map(({ name }, index) => ({ functionResponse: { name, response: { output: results[index] } } })),
    },
  ],
  whole({ candidates, usageMetadata }) {
    const parts = asObjects(asObject(asObjects(candidates)[0]?.content).parts);
    const calls = parts.filter(({ functionCall }) => functionCall !== undefined);
    return {
      text: parts.map(({ text }) => asText(text)).join(""),
      calls: calls.map(({ functionCall }) => {
        const { id, name, args } = asObject(functionCall);
        return { id: asText(id), name: asText(name), input: args };
      }),
      tokens: asObject(usageMetadata).candidatesTokenCount,
    };
  },
  streamed(events) {
    const parts = events.flatMap(({ candidates }) => asObjects(asObject(asObjects(candidates)[0]?.content).parts));
    return this.whole({ candidates: [{ content: { parts } }], usageMetadata: events.at(-1)?.usageMetadata });
  },
  schema: (responseSchema) => ({ generationConfig: { responseMimeType: "application/json", responseSchema } }),
  error: { error: { code: 429, message: "Slow down.", status: "RESOURCE_EXHAUSTED" } },
};

const CLIENTS = [anthropic, chat, responses, gemini];
const CASES = CLIENTS.flatMap((client) => [false, true].map((streamed) => ({ client, streamed, wire: client.wire })));
const TOOLS = ["mcp__child__echo", "mcp__child__other"];
const INPUT = { text: "ünï 👋", deep: { list: [1, 2.5, null, true] }, long: "x".repeat(50) };

async function post(url: string, client: Client, body: JsonObject, streamed = false, signal?: AbortSignal) {
  const streaming = streamed && client !== gemini ? { stream: true } : {};
  return await fetch(url + client.path(streamed), {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer sk-1", "x-api-key": "sk-2" },
    body: JSON.stringify({ ...body, ...streaming }),
    ...(signal && { signal }),
  });
}

async function ask(url: string, client: Client, body: JsonObject, streamed: boolean): Promise<Reply> {
  const response = await post(url, client, body, streamed);
  expect(response.status).toBe(200);
  if (!streamed) return client.whole(asObject(await response.json()));
  return client.streamed(parseEvents(await response.text()));
}

function parseEvents(text: string): readonly JsonObject[] {
  const blocks = text.split("\n\n").filter((block) => block !== "");
  const lines = blocks.map((block) => block.split("\n").find((line) => line.startsWith("data: ")) ?? "");
  return lines.filter((line) => line !== "data: [DONE]").map((line) => JSON.parse(line.slice("data: ".length)));
}

const EARLY: Readonly<Record<WireName, Readonly<Record<"length" | "refused", string>>>> = {
  "anthropic-messages": { length: "max_tokens", refused: "refusal" },
  "openai-chat": { length: "length", refused: "content_filter" },
  "openai-responses": { length: "max_output_tokens", refused: "content_filter" },
  "gemini-generate": { length: "MAX_TOKENS", refused: "SAFETY" },
};

describe.each(CASES)("$wire, streamed: $streamed", ({ client, streamed, wire }) => {
  test("plays a text with a call, two calls at once and a final answer", async () => {
    await using model = await startScriptedModel([
      { say: "I will look at it first.", call: "echo", input: INPUT },
      { calls: [{ call: "child_echo", input: { text: "b" } }, { call: "mcp_child_other" }] },
      ({ toolResults }) => ({ say: `Got ${toolResults.map(({ text }) => text).join(" and ")}.` }),
    ]);
    const history = [client.user("Go")];

    const first = await ask(model.url, client, client.body(history, TOOLS), streamed);
    expect(first).toMatchObject({
      text: "I will look at it first.",
      calls: [{ name: "mcp__child__echo", input: INPUT }],
      tokens: expect.any(Number),
    });
    history.push(...client.turn(first, ["one"]));

    const second = await ask(model.url, client, client.body(history, TOOLS), streamed);
    expect(second.text).toBe("");
    expect(second.calls).toMatchObject([
      { name: "mcp__child__echo", input: { text: "b" } },
      { name: "mcp__child__other", input: {} },
    ]);
    expect(new Set([...first.calls, ...second.calls].map(({ id }) => id)).size).toBe(3);
    history.push(...client.turn(second, ["two", "three"]));

    const third = await ask(model.url, client, client.body(history, TOOLS), streamed);
    expect(third).toMatchObject({ text: "Got one and two and three.", calls: [] });
    expect(third.tokens).toBeGreaterThan(0);
    expect(model.faults).toEqual([]);
    expect(model.requests.map(({ step }) => step)).toEqual([0, 1, 2]);
    expect(model.requests[2]).toMatchObject({
      wire,
      model: "m",
      system: "Be brief.",
      tools: TOOLS,
      messages: [
        { role: "user", text: "Go" },
        { role: "assistant", text: "I will look at it first." },
      ],
      toolResults: [
        { name: "mcp__child__echo", text: "one", isError: false },
        { name: "mcp__child__echo", text: "two", isError: false },
        { name: "mcp__child__other", text: "three", isError: false },
      ],
      side: false,
    });
    expect(JSON.stringify(model.requests)).not.toContain("sk-");
  });

  test("ends an answer early in the API's own words", async () => {
    const body = client.body([client.user("Go")], TOOLS);
    for (const [finish, word] of Object.entries(EARLY[wire])) {
      await using model = await startScriptedModel([{ say: "Half.", finish: finish as "length" }]);
      expect(await (await post(model.url, client, body, streamed)).text()).toContain(`"${word}"`);
      expect((await ask(model.url, client, body, streamed)).text).toBe("Half.");
    }
  });

  test("fails, sends garbage and hangs as the script requires", async () => {
    await using model = await startScriptedModel([
      { fail: { status: 429, message: "Slow down." } },
      { garbage: "<html>" },
      { hang: true },
      { say: "Better." },
    ]);
    const body = client.body([client.user("Go")], TOOLS);
    const failed = await post(model.url, client, body, streamed);
    expect(failed.status).toBe(429);
    expect(await failed.json()).toMatchObject(client.error);
    expect(await (await post(model.url, client, body, streamed)).text()).toBe("<html>");
    await expect(post(model.url, client, body, streamed, AbortSignal.timeout(50))).rejects.toThrow(/timeout/);
    expect((await ask(model.url, client, body, streamed)).text).toBe("Better.");
    expect(model.faults).toEqual([]);
  });

  test("answers a side request without playing a step", async () => {
    await using model = await startScriptedModel([{ say: "The step." }]);
    const { tools, ...untooled } = client.body([client.user("A title, please")], TOOLS);
    expect((await ask(model.url, client, untooled, streamed)).text).toBe("Scripted");
    const verdict = { type: "object", properties: { outcome: { enum: ["deny", "allow"] } }, required: ["outcome"] };
    const review = { ...client.body([client.user("Review")], TOOLS), ...client.schema(verdict) };
    expect(JSON.parse((await ask(model.url, client, review, streamed)).text)).toEqual({ outcome: "allow" });
    expect((await ask(model.url, client, client.body([client.user("Go")], TOOLS), streamed)).text).toBe("The step.");
    expect(model.requests.map(({ side }) => side)).toEqual([true, true, false]);
  });
});

test.each(CLIENTS)("$wire: an unreadable request is refused in the API's error format", async (client) => {
  await using model = await startScriptedModel([{ say: "Never." }]);
  for (const body of ["{", "[]", "{}"]) {
    const response = await fetch(model.url + client.path(false), { method: "POST", body });
    expect(response.status).toBe(400);
    const { error } = asObject(await response.json());
    expect(Object.keys(asObject(error)).sort()).toEqual(Object.keys(asObject(client.error.error)).sort());
  }
  expect(model.requests).toEqual([]);
  expect(model.faults.map(({ code }) => code)).toEqual(["request-invalid", "request-invalid", "request-invalid"]);
});

test.each([anthropic, gemini])("$wire: counts tokens without playing a step", async (client) => {
  await using model = await startScriptedModel([]);
  const path = client === anthropic ? "/v1/messages/count_tokens" : "/v1beta/models/m:countTokens";
  const body = JSON.stringify(client.body([client.user("How many are these?")], TOOLS));
  const counted = asObject(await (await fetch(model.url + path, { method: "POST", body })).json());
  expect(counted.input_tokens ?? counted.totalTokens).toBeGreaterThan(5);
  expect(model.requests).toEqual([]);
});

const SPOKEN_CALL = [{ say: "Look.", call: "echo", input: { text: "a" } }];

test("anthropic-messages: events are sent in the documented order", async () => {
  await using model = await startScriptedModel(SPOKEN_CALL);
  const response = await post(model.url, anthropic, anthropic.body([anthropic.user("Go")], TOOLS), true);
  const text = await response.text();
  const events = parseEvents(text);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(events.map(({ type }) => type)).toEqual([
    "message_start",
    "ping",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "content_block_start",
    "content_block_delta",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
  expect(text.match(/^event: .*$/gm)).toEqual(events.map(({ type }) => `event: ${type}`));
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" } });
});

test("openai-responses: events are sent in the documented order, with numbers", async () => {
  await using model = await startScriptedModel(SPOKEN_CALL);
  const response = await post(model.url, responses, responses.body([responses.user("Go")], TOOLS), true);
  const events = parseEvents(await response.text());
  expect(events.map(({ type }) => asText(type).replace("response.", ""))).toEqual([
    "created",
    "in_progress",
    "output_item.added",
    "content_part.added",
    "output_text.delta",
    "output_text.done",
    "content_part.done",
    "output_item.done",
    "output_item.added",
    "function_call_arguments.delta",
    "function_call_arguments.done",
    "output_item.done",
    "completed",
  ]);
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  expect(events[8]).toMatchObject({ output_index: 1, item: { type: "function_call", arguments: "" } });
});

test("openai-chat: the last chunks contain the reason, the usage if requested, and the end", async () => {
  await using model = await startScriptedModel(SPOKEN_CALL);
  const body = chat.body([chat.user("Go")], TOOLS);
  const text = await (await post(model.url, chat, body, true)).text();
  const events = parseEvents(text);
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  expect(events.at(-2)).toMatchObject({ choices: [{ delta: {}, finish_reason: "tool_calls" }], usage: null });
  expect(events.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
  const { stream_options, ...plain } = body;
  const withoutUsage = parseEvents(await (await post(model.url, chat, plain, true)).text());
  expect(withoutUsage.at(-1)).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
});

test("gemini-generate: only the last chunk contains a reason", async () => {
  await using model = await startScriptedModel(SPOKEN_CALL);
  const events = parseEvents(
    await (await post(model.url, gemini, gemini.body([gemini.user("Go")], TOOLS), true)).text(),
  );
  expect(events.map(({ candidates }) => asObjects(candidates)[0]?.finishReason)).toEqual([undefined, "STOP"]);
});
