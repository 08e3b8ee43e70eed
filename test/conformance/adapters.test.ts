import { readFileSync } from "node:fs";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { describe, expect, onTestFinished, test } from "vitest";
import { compactMessages, withSkills } from "../../packages/skillset/src/ai-sdk/index.ts";
import { usageOf } from "../../packages/skillset/src/core/session/usage.ts";
import { createSkillset, defineSkill, type Session } from "../../packages/skillset/src/index.ts";
import {
  compactChatMessages,
  compactResponseInput,
  runChat,
  runResponses,
} from "../../packages/skillset/src/openai/index.ts";
import { withSkills as withAgentSkills } from "../../packages/skillset/src/openai-agents/index.ts";
import { adapterContract, type ScriptStep, startScriptedModel } from "../../packages/testing/src/index.ts";
import { adapters } from "./adapters/all.ts";
import { clientAt } from "./adapters/openai.ts";
import { linesOf, sources } from "./adapters/sources.ts";
import { contractTable, reasonAgainst } from "./adapters/table.ts";

const page = readFileSync("docs/adapters.md", "utf8");

describe.for(adapters)("$name", (adapter) => {
  for (const scenario of adapterContract) {
    const reason = reasonAgainst(scenario, adapter);
    if (reason === undefined) test(`${scenario.id}: ${scenario.title}`, () => scenario.run(adapter));
    else test(`${scenario.id} does not apply, and the docs contain the reason`, () => expect(page).toContain(reason));
  }
});

describe("the contract", () => {
  test("has scenarios with unique ids", () => {
    expect(new Set(adapterContract.map(({ id }) => id)).size).toBe(adapterContract.length);
  });

  test("needs every capability that an adapter lacks", () => {
    const needed = adapterContract.map(({ needs }) => needs as string);
    for (const { lacks = {} } of adapters) expect(needed).toEqual(expect.arrayContaining(Object.keys(lacks)));
  });

  test("is up to date in docs/adapters.md; if not, run `npx node scripts/adapters-table.ts`", () => {
    const table = contractTable(adapterContract, adapters, () => false);
    expect(page.includes(table)).toBe(true);
  });
});

const tea = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Steep for 3 minutes.",
});
const activate: ScriptStep = { call: "activate_skill", input: { name: "tea" } };

async function startModel(...script: ScriptStep[]) {
  const model = await startScriptedModel(script, { isSide: () => false });
  onTestFinished(() => model.close());
  return model;
}

describe("besides the contract", () => {
  test("a streamed run adds no field that the API rejects as input", async () => {
    const session = await (await createSkillset([tea])).session();
    const model = await startModel(activate, { say: "Done." });
    const onEvent = () => {};
    const messages = [{ role: "user" as const, content: "Tea, please." }];
    const client = clientAt(model.url);
    const chat = await runChat({ client, session, request: { model: "scripted", messages }, onEvent });
    const responses = await runResponses({ client, session, request: { model: "scripted", input: "Hi." }, onEvent });
    for (const { added, text } of [chat, responses]) {
      expect(text).toBe("Done.");
      expect(JSON.stringify(added)).not.toMatch(/"parsed/);
    }
  });

  test("a run that ends at its last step leaves a conversation that can continue", async () => {
    const session = await (await createSkillset([tea])).session();
    const model = await startModel(activate, { say: "Done." });
    const messages: ChatCompletionMessageParam[] = [{ role: "user", content: "Tea, please." }];
    const call = { client: clientAt(model.url), session, request: { model: "scripted", messages } };
    const first = await runChat({ ...call, maxSteps: 1 });
    expect(first).toMatchObject({ isDone: false, added: [{ role: "assistant" }, { role: "tool" }] });
    messages.push(...first.added);
    const second = await runChat(call);
    expect(second).toMatchObject({ isDone: true, text: "Done." });
  });

  test("a host's function with the name of an operation is refused, not replaced", async () => {
    const session = await (await createSkillset([tea])).session();
    const tools = { activate_skill: { inputSchema: {} as never } };
    await expect(withSkills({ session, request: { messages: [], tools } })).rejects.toMatchObject({
      code: "option-invalid",
    });
  });

  test("a user's invocation over the budget is an error for the caller", async () => {
    const session = await (await createSkillset([tea])).session({ budget: { tokens: 1 } });
    const asked = withSkills({ session, request: { messages: [{ role: "user", content: "/tea green" }] } });
    await expect(asked).rejects.toMatchObject({ code: "budget-exceeded" });
  });

  test("a turn that continues after a tool's result does not activate the invoked skill again", async () => {
    const session = await (await createSkillset([tea])).session();
    const asked = [{ role: "user" as const, text: "/tea green" }];
    const first = await session.turn(asked);
    const second = await session.turn([...asked, { role: "assistant", text: "The kettle is on." }]);
    expect(second.messages[0]).toEqual(first.messages[0]);
    expect(usageOf(session.ledger.entries)).toMatchObject([{ skill: "tea", activated: 1 }]);
  });

  test("instructions that the host's own step leaves out are sent again", async () => {
    const session = await (await createSkillset([tea])).session();
    const { prepareStep } = await withSkills({
      session,
      request: { messages: [], prepareStep: () => ({ messages: [] }) },
    });
    const { text } = await session.activate("tea");
    await prepareStep({ messages: [{ role: "user", content: text }] } as never);
    expect((await session.activate("tea")).alreadyActive).toBe(false);
  });

  const picture = "data:image/png;base64,AA==";
  const part = { type: "input_image" as const, image_url: picture, detail: "auto" as const };
  const chatPart = { type: "image_url" as const, image_url: { url: picture } };
  const words = "/tea green";

  test.each<[string, (session: Session, url: string) => Promise<unknown>]>([
    [
      "AI SDK",
      async (session) => {
        const file = { type: "file" as const, data: picture, mediaType: "image/png" };
        const content = [file, { type: "text" as const, text: words }];
        return (await withSkills({ session, request: { messages: [{ role: "user", content }] } })).messages;
      },
    ],
    [
      "OpenAI Responses",
      async (session, url) => {
        const content = [part, { type: "input_text" as const, text: words }];
        const request = { model: "scripted", input: [{ role: "user" as const, content }] };
        await runResponses({ client: clientAt(url), session, request });
      },
    ],
    [
      "OpenAI Chat",
      async (session, url) => {
        const content = [chatPart, { type: "text" as const, text: words }];
        const request = { model: "scripted", messages: [{ role: "user" as const, content }] };
        await runChat({ client: clientAt(url), session, request });
      },
    ],
    [
      "OpenAI Agents",
      async (session) => {
        const content = [
          { type: "input_image" as const, image: picture },
          { type: "input_text" as const, text: words },
        ];
        return (await withAgentSkills({ session, request: { input: [{ role: "user", content }] } })).input;
      },
    ],
  ])("%s: a message with a picture before its text invokes a skill, and keeps the picture", async (_name, ask) => {
    const session = await (await createSkillset([tea])).session();
    const model = await startModel({ say: "Done." });
    const sent = JSON.stringify((await ask(session, model.url)) ?? model.requests[0]?.body);
    expect(session.active).toEqual(["tea"]);
    expect(sent).toContain("Steep for 3 minutes.");
    expect(sent).toContain(picture);
    expect(sent).not.toContain(words);
  });

  const big = JSON.stringify({ text: "y".repeat(10_000) });
  const user = (content: string) => ({ role: "user" as const, content });
  test.each<[string, (session: Session, budget: { characters: number }) => Promise<{ messages: unknown[] }>]>([
    [
      "AI SDK",
      (session, budget) => {
        const call = { type: "tool-call" as const, toolCallId: "1", toolName: "write", input: JSON.parse(big) };
        const output = { type: "text" as const, value: "ok" };
        const result = { type: "tool-result" as const, toolCallId: "1", toolName: "write", output };
        const history = [
          user("Write."),
          { role: "assistant" as const, content: [call] },
          { role: "tool" as const, content: [result] },
        ];
        return compactMessages(session, [...history, user("Thanks.")], { budget });
      },
    ],
    [
      "OpenAI Responses",
      (session, budget) => {
        const call = { type: "function_call" as const, call_id: "1", name: "write", arguments: big };
        const result = { type: "function_call_output" as const, call_id: "1", output: "ok" };
        return compactResponseInput(session, [user("Write."), call, result, user("Thanks.")], { budget });
      },
    ],
    [
      "OpenAI Chat",
      (session, budget) => {
        const call = { id: "1", type: "function" as const, function: { name: "write", arguments: big } };
        const history = [
          user("Write."),
          { role: "assistant" as const, content: null, tool_calls: [call] },
          { role: "tool" as const, tool_call_id: "1", content: "ok" },
        ];
        return compactChatMessages(session, [...history, user("Thanks.")], { budget });
      },
    ],
  ])("%s: the arguments of calls count, and an exchange is dropped as a whole", async (_name, shorten) => {
    const session = await (await createSkillset([])).session();
    expect((await shorten(session, { characters: 20_000 })).messages).toHaveLength(4);
    expect((await shorten(session, { characters: 1_000 })).messages).toEqual([user("Thanks.")]);
  });

  test("a shortened history starts with a user's message, and the last exchange is complete", async () => {
    const session = await (await createSkillset([])).session();
    const answered = (text: string) => ({ role: "assistant" as const, content: text });
    const messages = [user("z".repeat(500)), answered("First."), user("Short."), answered("Second.")];
    const shortened = await compactChatMessages(session, messages, { budget: { characters: 100 } });
    expect(shortened).toMatchObject({ messages: messages.slice(2), dropped: 2 });
    const cut = compactChatMessages(session, messages.slice(0, 2), { budget: { characters: 100 } });
    await expect(cut).rejects.toMatchObject({ code: "option-invalid" });
  });

  test("an invocation with a picture loses its instructions when they are inserted, and keeps the picture", async () => {
    const session = await (await createSkillset([tea])).session();
    await session.activate("tea", { by: "user", arguments: "green" });
    const invoked = { role: "user" as const, content: [chatPart, { type: "text" as const, text: words }] };
    const messages = [user("a".repeat(2_000)), invoked, { role: "assistant" as const, content: "Fine." }];
    const { messages: kept } = await compactChatMessages(session, messages, { budget: { characters: 500 } });
    expect(kept).toMatchObject([
      { role: "user", content: expect.stringContaining("Steep for 3 minutes.") },
      { role: "user", content: [{ type: "text", text: expect.stringMatching(/are above\.\]\s+green$/) }, chatPart] },
      { role: "assistant" },
    ]);
  });

  test.each(Object.keys(sources))("the adapter %s has at most 280 lines", (name) => {
    expect(linesOf(name)).toBeLessThanOrEqual(280);
  });
});
