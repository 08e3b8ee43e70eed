import { describe, expect, test } from "vitest";
import { runMessages } from "../anthropic/index.ts";
import { createSkillset } from "../index.ts";
import { evaluatePrompt, runChat, runResponses } from "../openai/index.ts";
import { withSkills } from "../openai-agents/index.ts";

const client = {};
const never = () => {};
const CLIENT = {
  withOptions: never,
  chat: { completions: { create: never, stream: never } },
  responses: { create: never, stream: never },
  messages: { stream: never },
};
const messages = [{ role: "user", content: "Hi." }];
const chat = { model: "any", messages };
const RUNS = { runChat, runResponses, runMessages, withSkills, evaluatePrompt } as Readonly<
  Record<string, (call: never) => Promise<unknown>>
>;

async function refusalOf(run: string, call: object): Promise<string> {
  const session = await (await createSkillset([])).session();
  const asked = RUNS[run]?.({ ...(run !== "withSkills" && { client }), session, ...call } as never);
  const error: unknown = await asked?.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: "SkillError", code: "option-invalid" });
  return (error as Error).message;
}

describe("a system prompt that an API would ignore is refused before a request is sent", () => {
  test.each<[string, object, string]>([
    ["runChat", { ...chat, system: "A bank." }, "has no 'system'. Put it first into 'messages'"],
    ["runChat", { ...chat, instructions: "A bank." }, "has no 'instructions'. Put them first into 'messages'"],
    ["runResponses", { input: "Hi.", system: "A bank." }, "has no 'system'. Use 'instructions'."],
    ["runMessages", { ...chat, instructions: "A bank." }, "has no 'instructions'. Use 'system'."],
    ["withSkills", { input: "Hi.", system: "A bank." }, "has no 'system'. Use 'instructions'."],
    ["withSkills", { input: "Hi.", instructions: () => "A bank." }, "'request.instructions' must be a text."],
    [
      "withSkills",
      { input: "Hi.", handoffs: [] },
      "has no option 'handoffs'. Known options: instructions, tools, input.",
    ],
  ])("%s: %o", async (run, request, message) => {
    expect(await refusalOf(run, { request })).toContain(message);
  });

  test("by evaluatePrompt()", async () => {
    const request = { model: "any", system: "A bank." };
    expect(await refusalOf("evaluatePrompt", { prompt: {}, request })).toContain("has no 'system'. Put it first");
  });
});

describe("the conversation in the request must be a list", () => {
  test.each<[string, object, string]>([
    [
      "runChat",
      { messages: "Hi." },
      "'request.messages' of runChat() must be a list of messages, not the text \"Hi.\".",
    ],
    ["runResponses", {}, "'request.input' of runResponses() must be a list of messages, not undefined."],
    ["runMessages", { messages: null }, "'request.messages' of runMessages() must be a list of messages, not null."],
    ["withSkills", { input: 5 }, "'request.input' of withSkills() must be a list of messages, not the number 5."],
    [
      "runMessages",
      { messages: [undefined] },
      "'request.messages' of runMessages() must be a list of messages, and item 0 is undefined.",
    ],
    [
      "runResponses",
      { input: [{ content: "Hi." }] },
      "'request.input' of runResponses() must be a list of messages, and item 0 is an object without a role.",
    ],
  ])("%s: %o", async (run, request, message) => {
    expect(await refusalOf(run, { request })).toBe(message);
  });
});

describe("messages for a page, wrong tools and wrong values are refused", () => {
  const page = [{ id: "1", role: "user", parts: [{ type: "text", text: "Hi." }] }];

  test.each(["runChat", "runResponses", "runMessages", "withSkills", "evaluatePrompt"])("by %s()", async (run) => {
    const field = run === "runResponses" || run === "withSkills" ? "input" : "messages";
    const prompt = run === "evaluatePrompt" && { prompt: {} };
    expect(await refusalOf(run, { ...prompt, request: { [field]: page } })).toContain(
      `'request.${field}' of ${run}() must be messages for a model, and item 0 has 'parts'`,
    );
    const request = { [field]: messages };
    expect(await refusalOf(run, { ...prompt, request, files: "no" })).toBe(
      `'files' of ${run}() must be true or false, not the text "no".`,
    );
    if (run === "evaluatePrompt") return;
    const tool = { name: "x", description: "x", handler: () => 1 };
    expect(await refusalOf(run, { request: { ...request, tools: [tool] } })).toBe(
      "Tool 'x' in 'request.tools' has a 'handler'. Pass tools from defineTool() in the option 'tools'.",
    );
    expect(await refusalOf(run, { request: { ...request, tools: { x: tool } } })).toContain(
      `'request.tools' of ${run}() must be a list of tools, not an object.`,
    );
    expect(await refusalOf(run, { request, signal: new AbortController() })).toBe(
      `${run}() takes an AbortSignal as 'signal', not an AbortController. Pass its 'signal'.`,
    );
    if (run !== "withSkills")
      expect(await refusalOf(run, { client: CLIENT, request, mode: "injct" })).toBe(
        "'mode' must be 'tools' or 'inject'; got \"injct\".",
      );
  });

  test("by runMessages(), a time that the API does not have", async () => {
    expect(await refusalOf("runMessages", { client: CLIENT, request: chat, cache: "2h" })).toBe(
      "'cache' must be '5m', '1h' or false.",
    );
  });
});

describe("a misspelt option, a wrong session and a forgotten 'await' are named", () => {
  const request = { messages, input: "Hi." };
  test.each(["runChat", "runResponses", "runMessages", "withSkills"])("by %s()", async (run) => {
    const { messages: _, ...noMessages } = request;
    const given = { request: run === "runChat" || run === "runMessages" ? chat : noMessages };
    const skillset = await createSkillset([]);
    expect(await refusalOf(run, { ...given, sinal: 1 })).toBe(`${run}() has no option 'sinal'. Did you mean 'signal'?`);
    expect(await refusalOf(run, { ...given, session: skillset })).toBe(
      `The 'session' of ${run}() must be a session, not a skillset. Create one with 'await skillset.session()'.`,
    );
    expect(await refusalOf(run, { ...given, session: skillset.session() })).toBe(
      `The 'session' of ${run}() must be a session, not a promise: add 'await'.`,
    );
    expect(await refusalOf(run, { request: Promise.resolve({}) })).toBe(
      `The 'request' of ${run}() must be an object, not a promise: add 'await'.`,
    );
  });
});
