import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createSkillset, defineSkill, defineTool, SkillError, type Tool, usageOf } from "../index.ts";
import { type ModelApi, type ModelReply, RunError, type RunOptions, runModelLoop } from "./model-loop.ts";

type Item = { readonly by: "user" | "model" | "tool"; readonly text: string };
type Reply = Partial<ModelReply<Item, string>>;

const tea = defineSkill({
  name: "tea",
  description: "Makes tea.",
  body: "Steep it.",
  tools: [{ name: "brew", description: "Brews.", handler: () => "Brewed." }],
});
const call = (name: string, input: unknown = {}) => ({ id: "1", name, input: JSON.stringify(input) });
const asksFor = (...calls: ReturnType<typeof call>[]): Reply => ({ added: [{ by: "model", text: "" }], calls });
const says = (text: string): Reply => ({ text, added: [{ by: "model", text }] });

/** Runs the loop against these replies, one after the other; a function may throw instead. */
async function run(replies: readonly (Reply | (() => Reply))[], options: Omit<RunOptions, "session"> = {}) {
  const session = await (await createSkillset([tea])).session();
  const left = [...replies];
  const requests: { readonly tools: readonly string[]; readonly items: readonly Item[] }[] = [];
  const api: ModelApi<Item, string> = {
    shape: {
      read: ({ by, text }) => ({ role: by, text }),
      mapText: (item, change) => ({ ...item, text: change(item.text) }),
      replaceText: (item, texts) => ({ ...item, text: texts.join("\n") }),
      write: (text) => ({ by: "user", text }),
    },
    send: async ({ tools, items }) => {
      requests.push({ tools: tools.map(({ name }) => name), items });
      const next = left.shift() ?? {};
      const reply = typeof next === "function" ? next() : next;
      return { answer: "", text: "", finish: "stop", added: [], calls: [], ...reply };
    },
    toResults: (results) => results.map(({ text }) => ({ by: "tool", text })),
  };
  const running = runModelLoop({ api, session, items: [{ by: "user", text: "Hi." }], ...options });
  return { session, requests, result: await running.catch((error: unknown) => error) };
}

const texts = (result: unknown) => (result as { readonly added: readonly Item[] }).added.map(({ text }) => text);

describe("a model that calls", () => {
  test("the call of a tool whose skill is not active returns that there is no such function", async () => {
    const { result } = await run([asksFor(call("tea__brew")), says("Sorry.")]);
    expect(texts(result)).toEqual(["", "There is no function 'tea__brew'.", "Sorry."]);
  });

  test("the same call runs the tool while its skill is active", async () => {
    const activate = asksFor(call("activate_skill", { name: "tea" }));
    const { result, requests } = await run([activate, asksFor(call("tea__brew")), says("Here.")]);
    expect(texts(result).slice(-2)).toEqual(["Brewed.", "Here."]);
    expect(requests.map(({ tools }) => tools.includes("tea__brew"))).toEqual([false, true, true]);
  });

  test("two simultaneous activations of one skill, with a function between them, return its instructions once", async () => {
    const order: string[] = [];
    const own: Tool = {
      name: "ring",
      description: "Does it.",
      inputSchema: { type: "object" },
      handler: () => order.push("rung"),
    };
    const activate = call("activate_skill", { name: "tea" });
    const { result, session } = await run([asksFor(activate, call("ring"), activate)], { tools: [own] });
    expect(texts(result)[1]).toContain("Steep it.");
    expect(texts(result)[3]).toMatch(/already active/);
    expect(order).toEqual(["rung"]);
    expect(usageOf(session.ledger.entries)).toMatchObject([{ activated: 2 }]);
  });
});

describe("a run ends", () => {
  test("with a cut answer, and does not run a call in it", async () => {
    let done = 0;
    const pay: Tool = { name: "pay", description: "Does it.", inputSchema: { type: "object" }, handler: () => ++done };
    const { result, requests } = await run([{ ...asksFor(call("pay")), finish: "length" }], { tools: [pay] });
    expect(result).toMatchObject({ finish: "length", isDone: false });
    expect(texts(result)[1]).toMatch(/^This call was not run/);
    expect([done, requests.length]).toEqual([0, 1]);
  });

  test("after its last step, and names the reason", async () => {
    const { result } = await run([asksFor(call("activate_skill", { name: "tea" }))], { maxSteps: 1 });
    expect(result).toMatchObject({ finish: "steps", isDone: false });
  });

  test("when it is aborted between two steps, and the error contains the items added so far", async () => {
    const controller = new AbortController();
    const execute = () => {
      controller.abort();
      return "Paid.";
    };
    const tools = [{ name: "pay", description: "Does it.", inputSchema: { type: "object" }, handler: execute }];
    const { result, requests } = await run([asksFor(call("pay"))], { tools, signal: controller.signal });
    expect(result).toBeInstanceOf(RunError);
    expect(result).toMatchObject({ cause: controller.signal.reason });
    expect(texts(result)).toEqual(["", "Paid."]);
    expect(requests).toHaveLength(1);
  });

  test("when the model fails in a later step, and the error contains the items added so far", async () => {
    const cause = new Error("Overloaded");
    const fail = (): Reply => {
      throw cause;
    };
    const tools = [{ name: "pay", description: "Does it.", inputSchema: { type: "object" }, handler: () => "Paid." }];
    const { result } = await run([asksFor(call("pay")), fail], { tools });
    expect(result).toBeInstanceOf(SkillError);
    expect(result).toMatchObject({ name: "RunError", code: "run-failed", message: "Overloaded", cause });
    expect(texts(result)).toEqual(["", "Paid."]);
  });

  test("when the library refuses something, with the code of the refusal", async () => {
    const cause = new SkillError("store-failed", "Disk full.");
    const fail = (): Reply => {
      throw cause;
    };
    const { result } = await run([fail], {});
    expect(result).toMatchObject({ name: "RunError", code: "store-failed", message: "Disk full.", cause });
  });
});

test.each([0, -1, Number.NaN])("'maxSteps' cannot be %s", async (maxSteps) => {
  const { result, requests } = await run([says("Hi.")], { maxSteps });
  expect(result).toMatchObject({ code: "option-invalid" });
  expect(requests).toEqual([]);
});

test("a paused answer is sent again, until the model answers or the last step is reached", async () => {
  const paused: Reply = { ...says("Searching."), finish: "paused" };
  const { result, requests } = await run([paused, { ...paused, text: "" }, says("Found.")]);
  expect(result).toMatchObject({ text: "Searching.\n\nFound.", finish: "stop", isDone: true });
  expect(requests.map(({ items }) => items.length)).toEqual([1, 2, 3]);
  const { result: ended } = await run([paused, { ...paused, text: "" }, says("Found.")], { maxSteps: 2 });
  expect(ended).toMatchObject({ text: "Searching.", finish: "steps", isDone: false });
});

test("two tools with the same name are refused before a request is sent", async () => {
  const pay = { name: "pay", description: "Pays.", handler: () => "Paid." };
  const { result, requests } = await run([says("Hi.")], { tools: [pay, pay] });
  expect(result).toMatchObject({ code: "option-invalid", message: "Two tools have the name 'pay'." });
  expect(requests).toEqual([]);
});

test("a function that later returns the name of one of the session's tools ends the run before that request", async () => {
  const tool = (name: string): Tool => ({ name, description: "Does it.", handler: () => "Done." });
  const names = ["pay"];
  const pay: Tool = { ...tool("pay"), handler: () => names.push("activate_skill") };
  const tools = () => [pay, ...names.slice(1).map(tool)];
  const { result, requests } = await run([asksFor(call("pay")), says("Done.")], { tools });
  const message = "Two tools have the name 'activate_skill'.";
  expect(result).toMatchObject({ name: "RunError", code: "option-invalid", message });
  expect(texts(result)).toEqual(["", "2"]);
  expect(requests).toHaveLength(1);
});

test("a run counts its requests", async () => {
  const { result } = await run([asksFor(call("activate_skill", { name: "tea" })), says("Here.")]);
  expect(result).toMatchObject({ steps: 2 });
});

test("a tool of the host receives the schema's parsed output, and invalid input is refused", async () => {
  const seen: unknown[] = [];
  const inputSchema = z.array(z.coerce.number());
  const sum = defineTool({ name: "sum", description: "Adds.", inputSchema, handler: (list) => seen.push(list) });
  const calls = [call("sum", { input: ["1", 2] }), call("sum", { input: "none" })];
  const { result } = await run([asksFor(...calls), says("Done.")], { tools: [sum] });
  expect(seen).toEqual([[1, 2]]);
  expect(texts(result).slice(1, 3)).toEqual(["1", expect.stringMatching(/^Invalid input for tool 'sum'/)]);
});

test("a tool of the host without a handler is refused before a request is sent", async () => {
  const tools = [{ name: "pay", parameters: { type: "object" }, execute: () => "Paid." }] as never;
  const { result, requests } = await run([says("Hi.")], { tools });
  expect(result).toMatchObject({ code: "option-invalid", message: expect.stringContaining("'handler'") });
  expect(requests).toEqual([]);
});
