import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, type Instructions, jsonSchema, streamText, ToolLoopAgent, type ToolSet } from "ai";
import { describe, expect, onTestFinished, test } from "vitest";
import { startScriptedModel } from "../../../testing/src/index.ts";
import { createSkillset, defineSkill } from "../index.ts";
import { Prompt, PromptTemplate } from "../prompt/index.ts";
import { createChat, evaluatePrompt, type WithSkillsRequest, withSkills } from "./index.ts";

const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep it." });
const BANK = "You are a bank.";
const messages = [{ role: "user" as const, content: "Hi." }];
const skills = await createSkillset([tea]);

/** A model that activates the skill and then answers. */
async function open() {
  const scripted = await startScriptedModel([{ call: "activate_skill", input: { name: "tea" } }, { say: "Hi." }]);
  onTestFinished(() => scripted.close());
  const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");
  return { model, requests: scripted.requests };
}

async function settingsFor(request: Partial<WithSkillsRequest<ToolSet>> = {}) {
  const { invoked: _, ...turn } = await withSkills<ToolSet>({
    session: await skills.session(),
    request: { messages, ...request },
  });
  return turn;
}

/** The system prompt, then the catalog, each once, in every request. */
function expectBoth({ requests }: Awaited<ReturnType<typeof open>>, own = BANK): void {
  expect(requests).toHaveLength(2);
  for (const { system = "" } of requests) {
    expect(system.startsWith(`${own}\n\n<`)).toBe(true);
    expect(system.split(own)).toHaveLength(2);
    expect(system.split("<available_skills>")).toHaveLength(2);
  }
}

const TWO: Instructions = [
  { role: "system", content: "You are" },
  { role: "system", content: "a bank." },
];

describe("the system prompt and the catalog reach the model", () => {
  test.each(["instructions", "system"] as const)("with '%s' in the request", async (name) => {
    const one = await open();
    await generateText({ model: one.model, ...(await settingsFor({ [name]: BANK })) });
    expectBoth(one);
  });

  test.each(["instructions", "system"] as const)("with '%s' in the call, before what is spread", async (name) => {
    const one = await open();
    await generateText({ [name]: BANK, model: one.model, ...(await settingsFor()) });
    expectBoth(one);
  });

  test.each(["instructions", "system"] as const)("with '%s' in the call, after what is spread", async (name) => {
    const one = await open();
    const { textStream } = streamText({ model: one.model, ...(await settingsFor()), [name]: BANK });
    for await (const _text of textStream);
    expectBoth(one);
  });

  test("with 'instructions' in the call that replace those of the request", async () => {
    const one = await open();
    await generateText({ model: one.model, ...(await settingsFor({ instructions: "Other." })), instructions: BANK });
    expectBoth(one);
  });

  test("with 'instructions' of an agent", async () => {
    const one = await open();
    const { messages, ...turn } = await settingsFor();
    const agent = new ToolLoopAgent({ instructions: BANK, model: one.model, ...turn });
    await agent.generate({ messages });
    expectBoth(one);
  });

  test.each(["instructions", "system"] as const)("with '%s' from your 'prepareStep'", async (name) => {
    const one = await open();
    const prepareStep = () => ({ [name]: BANK });
    await generateText({ model: one.model, ...(await settingsFor({ instructions: "Other.", prepareStep })) });
    expectBoth(one);
  });

  test("with a 'prepareStep' that adds to the instructions that it is passed", async () => {
    const one = await open();
    const prepareStep = ({ instructions }: { instructions?: unknown }) => ({ instructions: `${instructions}\n\nNow.` });
    await generateText({ model: one.model, ...(await settingsFor({ instructions: BANK, prepareStep })) });
    expectBoth(one);
    expect(one.requests.map(({ system }) => system?.split("\n\nNow.").length)).toEqual([2, 3]);
  });

  test("with several system messages", async () => {
    const one = await open();
    await generateText({ model: one.model, ...(await settingsFor()), instructions: TWO });
    const systems = one.requests.map(({ system = "" }) => system);
    for (const system of systems) expect(system).toMatch(/^You are\s+a bank\.\s+<available_skills>/);
    expect(systems[1]).toBe(systems[0]);
  });

  test.each(["instructions", "system"] as const)("with '%s' of a chat", async (name) => {
    const one = await open();
    const settings = { model: one.model, [name]: BANK };
    await (await createChat({ skills, request: settings })).send("Hi.");
    expectBoth(one);
  });

  test("and without a system prompt, the catalog is alone", async () => {
    const one = await open();
    await generateText({ model: one.model, ...(await settingsFor()) });
    for (const { system = "" } of one.requests) expect(system.split("<available_skills>")).toHaveLength(2);
  });
});

test("other settings in the request are passed on", async () => {
  const one = await open();
  const request = { temperature: 0.25, providerOptions: { scripted: { user: "ann" } } };
  await generateText({ model: one.model, ...(await settingsFor(request as object)) });
  expect(one.requests[0]?.body).toMatchObject({ temperature: 0.25, user: "ann" });
});

test("without skills and instructions, no system prompt is sent", async () => {
  const one = await open();
  const { invoked: _, ...turn } = await withSkills({
    session: await (await createSkillset([])).session(),
    request: { messages },
  });
  await generateText({ model: one.model, ...turn, stopWhen: () => true });
  expect(one.requests[0]?.messages.map(({ role }) => role)).toEqual(["user"]);
});

test("an empty 'activeTools' offers no tools, and the catalog stays", async () => {
  const one = await open();
  const tools = { pay: { description: "Pays.", inputSchema: jsonSchema({ type: "object" }), execute: () => "Paid." } };
  await generateText({ model: one.model, ...(await settingsFor({ tools, activeTools: [] })), stopWhen: () => true });
  expect(one.requests[0]?.tools).toEqual([]);
});

describe("refused before a request is sent", () => {
  const refused = (message: string) => ({ code: "option-invalid", message: expect.stringContaining(message) });

  test.each<[string, object, string]>([
    ["both names of the system prompt", { messages, system: "A", instructions: "B" }, "set only one"],
    ["'prompt'", { prompt: "Hi." }, "The 'request' of withSkills() has no 'prompt'. Put it into 'request.messages'"],
    ["no messages", {}, "'request.messages' of withSkills() must be a list of messages, not undefined."],
    ["text as messages", { messages: "Hi." }, 'not the text "Hi.".'],
  ])("%s in the request", async (_what, request, message) => {
    const session = await skills.session();
    await expect(withSkills({ session, request: request as never })).rejects.toMatchObject(refused(message));
  });

  test("a misspelt option", async () => {
    const call = { session: await skills.session(), request: { messages }, catalogue: {} };
    await expect(withSkills(call)).rejects.toMatchObject(
      refused("withSkills() has no option 'catalogue'. Did you mean 'catalog'?"),
    );
  });

  test("a skillset instead of a session, and a promise of one", async () => {
    const start = (session: unknown) => withSkills({ session: session as never, request: { messages } });
    await expect(start(skills)).rejects.toMatchObject(
      refused("The 'session' of withSkills() must be a session, not a skillset. Create one with"),
    );
    await expect(start(skills.session())).rejects.toMatchObject(refused("not a promise: add 'await'."));
  });

  test.each<[string, unknown, string]>([
    ["a list of paths", ["./skills"], "The 'skills' of createChat() must be a skillset, not an array. Create one with"],
    ["a promise", createSkillset([]), "The 'skills' of createChat() must be a skillset, not a promise: add 'await'."],
  ])("%s as the skills of a chat", async (_what, given, message) => {
    const { model } = await open();
    await expect(createChat({ skills: given as never, request: { model } })).rejects.toMatchObject(refused(message));
  });

  test.each<[string, object, string]>([
    [
      "messages for a page",
      { messages: [{ id: "1", role: "user", parts: [] }] },
      "item 0 has 'parts', as messages for a page do. Convert them first: 'await convertToModelMessages(messages)'",
    ],
    [
      "nothing as a message",
      { messages: [messages[0], undefined] },
      "'request.messages' of withSkills() must be a list of messages, and item 1 is undefined.",
    ],
    ["a message without content", { messages: [{ role: "user" }] }, "and item 0 has no content."],
    ["a message without a role", { messages: [{ content: "Hi." }] }, "and item 0 is an object without a role."],
    [
      "a promise of messages",
      { messages: Promise.resolve(messages) },
      "must be a list of messages, not a promise: add 'await'.",
    ],
    [
      "a tool with 'parameters'",
      { messages, tools: { x: { parameters: {} } } },
      "Tool 'x' in 'request.tools' has 'parameters'. Rename it to 'inputSchema'.",
    ],
    [
      "a tool of defineTool()",
      { messages, tools: { x: { handler: () => 1 } } },
      "Tool 'x' in 'request.tools' has a 'handler'. Pass tools from defineTool() in the option 'tools'.",
    ],
    [
      "a list of tools",
      { messages, tools: [{ handler: () => 1 }] },
      "'request.tools' of withSkills() must be an object with tools by name, not an array.",
    ],
    ["null as tools", { messages, tools: null }, "must be an object with tools by name, not null."],
  ])("%s in the request of withSkills(), createChat() and evaluatePrompt()", async (_what, request, message) => {
    const session = await skills.session();
    await expect(withSkills({ session, request: request as never })).rejects.toMatchObject(refused(message));
    const given = { model: "any", ...request } as never;
    const renamed = (name: string) => refused(message.replace("withSkills()", name));
    await expect(createChat({ skills, request: given })).rejects.toMatchObject(renamed("createChat()"));
    const prompt = new Prompt(new PromptTemplate({ ns: "n", key: "k", sections: [] }));
    await expect(evaluatePrompt({ prompt, request: given })).rejects.toMatchObject(renamed("evaluatePrompt()"));
  });

  test("what evaluatePrompt() would lose", async () => {
    const prompt = new Prompt(new PromptTemplate({ ns: "n", key: "k", sections: [] }));
    const evaluate = (request: object) => evaluatePrompt({ prompt, request: { model: "any", ...request } });
    await expect(evaluate({ system: BANK, instructions: "Other." })).rejects.toMatchObject(refused("set only one"));
    await expect(evaluate({ abortSignal: AbortSignal.abort() })).rejects.toMatchObject(
      refused("The 'request' of evaluatePrompt() has no 'abortSignal'. Use the option 'signal' of evaluatePrompt()."),
    );
  });

  test("a session as the options of a chat's session, and a signal for all of its messages", async () => {
    const { model } = await open();
    const start = (options: object) => createChat({ skills, request: { model }, ...options });
    await expect(start({ session: await skills.session() })).rejects.toMatchObject(refused("not a session."));
    const { signal } = new AbortController();
    await expect(start({ signal })).rejects.toMatchObject(refused("createChat() has no option 'signal'."));
    await expect(start({ request: { model, abortSignal: signal } })).rejects.toMatchObject(
      refused("The 'request' of createChat() has no 'abortSignal'. Pass a 'signal' to 'send()' or 'stream()'."),
    );
  });

  test.each<[unknown, string]>([
    [{ abortSignal: AbortSignal.abort() }, "() has no option 'abortSignal'. Use 'signal'."],
    [{ signal: new AbortController() }, "() takes an AbortSignal as 'signal', not an AbortController."],
    [null, "() takes an object with options, not null."],
  ])("the options %o of a message", async (options, message) => {
    const { model, requests } = await open();
    const chat = await createChat({ skills, request: { model } });
    await expect(chat.send("Hi.", options as never)).rejects.toMatchObject(refused(`send${message}`));
    await expect(chat.stream("Hi.", options as never)).rejects.toMatchObject(refused(`stream${message}`));
    expect(requests).toEqual([]);
  });

  test("a message of a chat that is no text", async () => {
    const { model } = await open();
    const chat = await createChat({ skills, request: { model } });
    for (const send of [chat.send, chat.stream])
      await expect(send(undefined as never)).rejects.toMatchObject(refused("as a text, not undefined"));
    expect(chat.messages).toEqual([]);
  });
});
