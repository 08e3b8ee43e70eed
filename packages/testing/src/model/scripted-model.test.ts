import { expect, test } from "vitest";
import { MAX_BODY_BYTES } from "../wire/http-exchange.ts";
import { startScriptedModel } from "./scripted-model.ts";

interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
  readonly tool_call_id?: string;
}

const TOOLS = ["mcp__child__echo", "skill"];

async function post(
  url: string,
  messages: readonly ChatMessage[],
  tools: readonly string[] = TOOLS,
): Promise<Response> {
  const offered = tools.map((name) => ({ type: "function", function: { name } }));
  const body = JSON.stringify({ model: "m", messages, tools: offered });
  return await fetch(`${url}/v1/chat/completions`, { method: "POST", body });
}

async function chat(url: string, messages: readonly ChatMessage[], tools?: readonly string[]): Promise<ChatMessage> {
  const answer = (await (await post(url, messages, tools)).json()) as { choices: [{ message: ChatMessage }] };
  return answer.choices[0].message;
}

/** Runs the agent's loop until the model answers with text. */
async function converse(url: string, messages: ChatMessage[]): Promise<string | null> {
  for (;;) {
    const message = await chat(url, messages);
    messages.push(message);
    if (message.tool_calls === undefined) return message.content;
    for (const { id } of message.tool_calls) messages.push({ role: "tool", tool_call_id: id, content: "result" });
  }
}

const user = (content: string): ChatMessage => ({ role: "user", content });

test("after the last step, it says that the script is over", async () => {
  await using model = await startScriptedModel([{ say: "Done." }]);
  const messages = [user("Go")];
  expect(await converse(model.url, messages)).toBe("Done.");
  expect(await converse(model.url, [...messages, user("More")])).toBe("The script is over.");
  expect(model.requests.map(({ step }) => step)).toEqual([0, undefined]);
  expect(model.faults).toEqual([]);
});

test("an unavailable tool is a fault, and the answer lists the available tools", async () => {
  await using model = await startScriptedModel([{ call: "missing" }, { say: "Next." }]);
  const messages = [user("Go")];
  const message = "Step 0 of the script calls 'missing', which is not offered. Offered tools: mcp__child__echo, skill.";
  expect(await converse(model.url, messages)).toBe(message);
  expect(model.faults).toEqual([{ code: "tool-not-offered", step: 0, message }]);
  expect(await converse(model.url, [...messages, user("More")])).toBe("Next.");
});

test("a name that matches the end of several tools is a fault", async () => {
  await using model = await startScriptedModel([{ call: "echo" }]);
  const { content } = await chat(model.url, [user("Go")], ["a_echo", "b_echo"]);
  expect(content).toContain("may be any of: a_echo, b_echo");
  expect(model.faults).toMatchObject([{ code: "tool-ambiguous", step: 0 }]);
});

test("a step that throws, or returns no reply, is a fault", async () => {
  await using model = await startScriptedModel([
    () => {
      throw new Error("no luck");
    },
    async () => ({}) as never,
  ]);
  const messages = [user("Go")];
  expect(await converse(model.url, messages)).toBe("Step 0 of the script threw: no luck");
  expect(await converse(model.url, [...messages, user("More")])).toMatch(/^Step 1 of the script must have one of/);
  expect(model.faults.map(({ code }) => code)).toEqual(["step-invalid", "step-invalid"]);
});

test("parallel conversations each play the whole script", async () => {
  await using model = await startScriptedModel([
    { call: "echo", input: {} },
    { say: "Same." },
    { calls: [{ call: "echo" }, { call: "skill" }] },
    { say: "Same." },
    { say: "End." },
  ]);
  const all = Array.from({ length: 20 }, async (_, index) => {
    const messages: ChatMessage[] = [];
    const said: (string | null)[] = [];
    for (const prompt of ["a", "b", "c"]) {
      messages.push(user(`${prompt} ${index}`));
      said.push(await converse(model.url, messages));
    }
    return said;
  });
  for (const said of await Promise.all(all)) expect(said).toEqual(["Same.", "Same.", "End."]);
  expect(model.requests).toHaveLength(20 * 5);
});

test("a repeated request gets the same step", async () => {
  await using model = await startScriptedModel([{ call: "skill" }, { say: "Done." }]);
  const messages = [user("Go")];
  await chat(model.url, messages);
  expect(await converse(model.url, messages)).toBe("Done.");
  expect(model.requests.map(({ step }) => step)).toEqual([0, 0, 1]);
});

test("turns that the agent made up, and a history without its beginning, do not change the step", async () => {
  await using model = await startScriptedModel([{ call: "skill" }, { call: "echo" }, { say: "Done." }]);
  const messages = [user("Context"), { role: "assistant", content: "Got it. Thanks for the context!" }, user("Go")];
  const first = await chat(model.url, messages);
  expect(first.tool_calls?.[0]?.function.name).toBe("skill");
  messages.push(first, { role: "tool", tool_call_id: first.tool_calls?.[0]?.id ?? "", content: "one" });
  const second = await chat(model.url, messages);
  const result = { role: "tool", tool_call_id: second.tool_calls?.[0]?.id ?? "", content: "two" };
  expect((await chat(model.url, [user("Summary"), second, result])).content).toBe("Done.");
});

test("each conversation gets its failures once, whether it repeats the request or sends a new prompt", async () => {
  await using model = await startScriptedModel([{ fail: { status: 500, message: "Down." } }, { say: "Up." }]);
  for (const name of ["a", "b"]) {
    expect((await post(model.url, [user("Same context"), user(name)])).status).toBe(500);
    expect((await chat(model.url, [user("Same context"), user(name), user("Again")])).content).toBe("Up.");
  }
});

test("at a global pace, steps are played in the order of the requests", async () => {
  await using model = await startScriptedModel(
    [{ say: "1" }, { fail: { status: 500, message: "Down." } }, { say: "3" }],
    { pace: "global" },
  );
  expect((await chat(model.url, [user("a")])).content).toBe("1");
  expect((await post(model.url, [user("b")])).status).toBe(500);
  expect((await chat(model.url, [user("a")])).content).toBe("3");
  expect((await chat(model.url, [user("a")])).content).toBe("The script is over.");
});

test("isSide decides which requests play no step, so that agents without tools can be tested", async () => {
  await using model = await startScriptedModel([{ say: "Hello." }], {
    isSide: ({ system }) => system.includes("title"),
  });
  const title = [{ role: "system", content: "Write a title." }, user("Go")];
  expect((await chat(model.url, title)).content).toBe("Scripted");
  expect((await chat(model.url, [user("Go")], [])).content).toBe("Hello.");
});

test("other paths are not found, and the models are listed", async () => {
  await using model = await startScriptedModel([]);
  const missing = await fetch(`${model.url}/v1/completions`, { method: "POST", body: "{}" });
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({ error: { message: expect.stringContaining("POST /v1/completions") } });
  const models = await (await fetch(`${model.url}/v1/models`)).json();
  expect(models).toMatchObject({ object: "list", data: [{ id: "scripted-model", object: "model" }] });
});

test("a request over 32 MiB is refused", async () => {
  await using model = await startScriptedModel([]);
  const body = `{"messages":"${"x".repeat(MAX_BODY_BYTES)}"}`;
  const response = await fetch(`${model.url}/v1/messages`, { method: "POST", body });
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ type: "error", error: { type: "request_too_large" } });
});

test("closing ends a hanging request, and closing again does nothing", async () => {
  const model = await startScriptedModel([{ hang: true }]);
  const hanging = post(model.url, [user("Go")]);
  const ended = expect(hanging).rejects.toThrow();
  await expect.poll(() => model.requests.length).toBe(1);
  await model.close();
  await model.close();
  await ended;
  await expect(fetch(model.url)).rejects.toThrow();
});

test("an aborted signal closes the model, or prevents its start", async () => {
  const controller = new AbortController();
  const model = await startScriptedModel([], { signal: controller.signal });
  controller.abort();
  await expect(fetch(model.url)).rejects.toThrow();
  await expect(startScriptedModel([], { signal: controller.signal })).rejects.toThrow(/aborted/);
});

test("a model that is aborted during its start does not serve", async () => {
  const port = await startScriptedModel([]).then(async (model) => {
    await model.close();
    return Number(new URL(model.url).port);
  });
  const controller = new AbortController();
  const starting = startScriptedModel([], { port, signal: controller.signal });
  controller.abort();
  await expect(starting).rejects.toThrow(/aborted/);
  await expect(fetch(`http://127.0.0.1:${port}/v1/models`)).rejects.toThrow();
});

test("a used port is an error", async () => {
  await using model = await startScriptedModel([]);
  const port = Number(new URL(model.url).port);
  await expect(startScriptedModel([], { port })).rejects.toThrow(/EADDRINUSE/);
});

test.each([
  {},
  { say: 1 },
  { call: "" },
  { call: "a", garbage: "b" },
  { calls: [] },
  { fail: { status: 200, message: "" } },
])("the step %j is refused at the start", async (step) => {
  await expect(startScriptedModel([step as never])).rejects.toMatchObject({ code: "option-invalid" });
});

test("an unlisted call is made although the request does not offer the tool", async () => {
  await using model = await startScriptedModel([{ call: "missing", unlisted: true }, { say: "Next." }]);
  const { tool_calls } = await chat(model.url, [user("Go")]);
  expect(tool_calls).toMatchObject([{ function: { name: "missing" } }]);
  expect(await converse(model.url, [user("Go")])).toBe("Next.");
  expect(model.faults).toEqual([]);
});
