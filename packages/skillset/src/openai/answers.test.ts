import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { OpenAI } from "openai";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSkillset, defineSkill } from "../index.ts";
import { runChat, runResponses } from "./index.ts";

const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep it." });

/** Returns a client of an API that sends this answer, whole or as a stream, and the requests that the API received. */
async function clientFor(answer: object, events: readonly object[] = []) {
  const requests: { readonly tools?: readonly unknown[] }[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    requests.push(body);
    if (body.stream !== true)
      return void response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    response.setHeader("content-type", "text/event-stream");
    response.end([...events.map((event) => JSON.stringify(event)), "[DONE]"].map((one) => `data: ${one}\n\n`).join(""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const session = await (await createSkillset([tea])).session();
  return { client: new OpenAI({ baseURL, apiKey: "any", maxRetries: 0 }), session, requests };
}

const message = { role: "assistant", content: null, refusal: null };
const chat = (finish_reason: string, fields: object) => ({
  id: "1",
  object: "chat.completion",
  choices: [{ index: 0, finish_reason, message: { ...message, ...fields } }],
});

describe.each([
  ["whole", false],
  ["streamed", true],
])("Chat, %s", (_how, isStreamed) => {
  const ask = async (answer: ReturnType<typeof chat> | { choices: never[] }) => {
    const [choice] = answer.choices;
    const { message, ...rest } = choice ?? {};
    const chunk = { ...answer, object: "chat.completion.chunk", choices: choice ? [{ ...rest, delta: message }] : [] };
    const { client, session } = await clientFor(answer, [chunk]);
    const messages = [{ role: "user" as const, content: "Hi." }];
    return runChat({ client, session, request: { model: "any", messages }, ...(isStreamed && { onEvent: () => {} }) });
  };

  test("a complete answer is done", async () => {
    expect(await ask(chat("stop", { content: "Yes." }))).toMatchObject({ finish: "stop", isDone: true, text: "Yes." });
  });

  test("a cut answer is not done", async () => {
    expect(await ask(chat("length", { content: "Ye" }))).toMatchObject({ finish: "length", isDone: false, text: "Ye" });
  });

  test("a refusal contains the reason", async () => {
    const refused = { finish: "refused", isDone: false };
    expect(await ask(chat("stop", { refusal: "I cannot." }))).toMatchObject({ ...refused, text: "I cannot." });
    expect(await ask(chat("content_filter", { content: "" }))).toMatchObject({ ...refused, text: "" });
  });

  test("an empty list of choices is an error", async () => {
    await expect(ask({ choices: [] })).rejects.toThrow(/^(The API returned no answer|stream ended without producing)/);
  });
});

test("the error that a gateway returns instead of an answer is the error's message", async () => {
  const { client, session } = await clientFor({ error: { message: "No credits left." } });
  const messages = [{ role: "user" as const, content: "Hi." }];
  const asked = runChat({ client, session, request: { model: "any", messages } });
  await expect(asked).rejects.toMatchObject({ name: "RunError", code: "run-failed", message: "No credits left." });
});

const said = (...content: object[]) => ({ type: "message", id: "m", role: "assistant", status: "completed", content });
const response = (status: string, fields: object) => ({ id: "r", object: "response", status, output: [], ...fields });

describe.each([
  ["whole", false],
  ["streamed", true],
])("Responses, %s", (_how, isStreamed) => {
  const ask = async (answer: ReturnType<typeof response>) => {
    const events = [
      { type: "response.created", sequence_number: 0, response: { ...answer, status: "in_progress", output: [] } },
      { type: `response.${answer.status}`, sequence_number: 1, response: answer },
    ];
    const { client, session } = await clientFor(answer, events);
    return runResponses({
      client,
      session,
      request: { model: "any", input: "Hi." },
      ...(isStreamed && { onEvent: () => {} }),
    });
  };

  test("a complete answer is done", async () => {
    const output = [said({ type: "output_text", text: "Yes.", annotations: [] })];
    expect(await ask(response("completed", { output }))).toMatchObject({ finish: "stop", isDone: true, text: "Yes." });
  });

  test("a cut answer is not done", async () => {
    const output = [said({ type: "output_text", text: "Ye", annotations: [] })];
    const cut = response("incomplete", { output, incomplete_details: { reason: "max_output_tokens" } });
    expect(await ask(cut)).toMatchObject({ finish: "length", isDone: false, text: "Ye" });
  });

  test("a refusal contains the reason", async () => {
    const output = [said({ type: "refusal", refusal: "I cannot." })];
    const refused = { finish: "refused", isDone: false };
    expect(await ask(response("completed", { output }))).toMatchObject({ ...refused, text: "I cannot." });
    const filtered = response("incomplete", { incomplete_details: { reason: "content_filter" } });
    expect(await ask(filtered)).toMatchObject(refused);
  });

  test("a failure is an error with the API's message", async () => {
    const failed = response("failed", { error: { code: "server_error", message: "The model broke." } });
    await expect(ask(failed)).rejects.toMatchObject({ message: "The model broke.", added: [] });
  });
});

describe("a tool that the API runs is sent with the functions", () => {
  test("over the Responses API", async () => {
    const { client, session, requests } = await clientFor(response("completed", {}));
    await runResponses({ client, session, request: { model: "any", input: "Hi.", tools: [{ type: "web_search" }] } });
    expect(requests[0]?.tools?.slice(0, 2)).toMatchObject([{ type: "web_search" }, { name: "activate_skill" }]);
  });

  test("over an endpoint that speaks Chat Completions", async () => {
    const { client, session, requests } = await clientFor(chat("stop", { content: "Yes." }));
    const tools = [{ type: "browser_search", depth: 2 }];
    const messages = [{ role: "user" as const, content: "Hi." }];
    await runChat({ client, session, request: { model: "any", messages, tools } });
    expect(requests[0]?.tools?.[0]).toEqual({ type: "browser_search", depth: 2 });
  });
});

describe("a call is refused before a request is sent", () => {
  const runs = { runChat, runResponses };
  const client = {} as OpenAI;
  const request = { model: "any", messages: [], input: [] };

  test.each(["maxSteps", "compact", "signal", "onEvent"])("with the option '%s' inside 'request'", async (name) => {
    const session = await (await createSkillset([])).session();
    for (const [run, start] of Object.entries(runs)) {
      const message = `'${name}' is an option of ${run}(), not of the request: move it out of 'request'.`;
      const call = { client, session, request: { ...request, [name]: undefined } };
      await expect(start(call)).rejects.toMatchObject({ code: "option-invalid", message });
    }
  });

  test.each(["client", "session", "request"])("without '%s'", async (part) => {
    const session = await (await createSkillset([])).session();
    for (const [run, start] of Object.entries(runs)) {
      const { [part]: _, ...call } = { client, session, request } as Record<string, unknown>;
      const message = `${run}() takes one object, ${run}({ client, session, request }): '${part}' is missing.`;
      await expect(start(call as never)).rejects.toMatchObject({ code: "option-invalid", message });
    }
  });

  test.each([
    ["'stream'", { stream: true }, "set 'onEvent' to stream"],
    ["a function without a handler", { tools: [{ type: "function", name: "pay" }] }, "with a 'handler'"],
  ])("with %s in the request", async (_what, fields, message) => {
    const session = await (await createSkillset([])).session();
    for (const start of Object.values(runs)) {
      const asked = start({ client, session, request: { ...request, ...fields } as never });
      await expect(asked).rejects.toMatchObject({ code: "option-invalid", message: expect.stringContaining(message) });
    }
  });
});
