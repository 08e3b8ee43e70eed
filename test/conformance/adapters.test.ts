import { readFileSync } from "node:fs";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { describe, expect, onTestFinished, test } from "vitest";
import { withSkills } from "../../packages/skillset/src/ai-sdk/index.ts";
import { prepareTurn } from "../../packages/skillset/src/core/turn.ts";
import { createSkillset, skill } from "../../packages/skillset/src/index.ts";
import { runChat, runResponses } from "../../packages/skillset/src/openai/index.ts";
import { adapterContract, type ScriptStep, startScriptedModel } from "../../packages/skillset/src/testing/index.ts";
import { adapters } from "./adapters/all.ts";
import { clientAt } from "./adapters/openai.ts";
import { linesOf, sources } from "./adapters/sources.ts";
import { contractTable, reasonAgainst } from "./adapters/table.ts";

const page = readFileSync("docs/adapters.md", "utf8");

describe.for(adapters)("$name", (adapter) => {
  for (const scenario of adapterContract) {
    const reason = reasonAgainst(scenario, adapter);
    if (reason === undefined) test(`${scenario.id}: ${scenario.title}`, () => scenario.run(adapter));
    else test(`${scenario.id} is not for it, and the docs say why`, () => expect(page).toContain(reason));
  }
});

describe("the contract", () => {
  test("has scenarios with ids of their own", () => {
    expect(new Set(adapterContract.map(({ id }) => id)).size).toBe(adapterContract.length);
  });

  test("needs everything that an adapter says it lacks", () => {
    const needed = adapterContract.map(({ needs }) => needs as string);
    for (const { lacks = {} } of adapters) expect(needed).toEqual(expect.arrayContaining(Object.keys(lacks)));
  });

  test("stands in docs/adapters.md as it is: if not, run `npx node scripts/adapters-table.ts`", () => {
    const table = contractTable(adapterContract, adapters, () => false);
    expect(page.includes(table)).toBe(true);
  });
});

const tea = skill({ name: "tea", description: "Makes tea. Use when asked for tea.", body: "Steep for 3 minutes." });
const activate: ScriptStep = { call: "activate_skill", input: { name: "tea" } };

async function startModel(...script: ScriptStep[]) {
  const model = await startScriptedModel(script, { isSide: () => false });
  onTestFinished(() => model.close());
  return model;
}

describe("beside the contract", () => {
  test("what a streamed run adds has no field that the API does not take back", async () => {
    const session = await (await createSkillset([tea])).session();
    const model = await startModel(activate, { say: "Done." });
    const onEvent = () => {};
    const chat = await runChat(clientAt(model.url), session, {
      model: "scripted",
      messages: [{ role: "user", content: "Tea, please." }],
      onEvent,
    });
    const responses = await runResponses(clientAt(model.url), session, { model: "scripted", input: "Hi.", onEvent });
    for (const { added, text } of [chat, responses]) {
      expect(text).toBe("Done.");
      expect(JSON.stringify(added)).not.toMatch(/"parsed/);
    }
  });

  test("a run that ends at its last step leaves a conversation that can go on", async () => {
    const session = await (await createSkillset([tea])).session();
    const model = await startModel(activate, { say: "Done." });
    const messages: ChatCompletionMessageParam[] = [{ role: "user", content: "Tea, please." }];
    const first = await runChat(clientAt(model.url), session, { model: "scripted", messages, maxSteps: 1 });
    expect(first).toMatchObject({ isDone: false, added: [{ role: "assistant" }, { role: "tool" }] });
    messages.push(...first.added);
    const second = await runChat(clientAt(model.url), session, { model: "scripted", messages });
    expect(second).toMatchObject({ isDone: true, text: "Done." });
  });

  test("a host's function with the name of an operation is refused, not replaced", async () => {
    const session = await (await createSkillset([tea])).session();
    const tools = { activate_skill: { inputSchema: {} as never } };
    await expect(withSkills(session, { messages: [], tools })).rejects.toMatchObject({ code: "option-invalid" });
  });

  test("a skill that a person names and that is over the budget is an error for the caller", async () => {
    const session = await (await createSkillset([tea])).session({ budget: { tokens: 1 } });
    const asked = withSkills(session, { messages: [{ role: "user", content: "/tea green" }] });
    await expect(asked).rejects.toMatchObject({ code: "budget-exceeded" });
  });

  test("a turn that goes on after a tool's result does not activate the invoked skill again", async () => {
    const session = await (await createSkillset([tea])).session();
    const asked = [{ isUser: true, text: "/tea green" }];
    const first = await prepareTurn(session, asked);
    const second = await prepareTurn(session, [...asked, { isUser: false, text: "The kettle is on." }]);
    expect(second.replaced).toEqual(first.replaced);
    expect(session.usage()).toMatchObject([{ skill: "tea", activated: 1 }]);
  });

  test("instructions that a host's own step leaves out are given again", async () => {
    const session = await (await createSkillset([tea])).session();
    const { prepareStep } = await withSkills(session, { messages: [], prepareStep: () => ({ messages: [] }) });
    const { text } = await session.activate("tea");
    await prepareStep({ messages: [{ role: "user", content: text }] } as never);
    expect((await session.activate("tea")).alreadyActive).toBe(false);
  });

  test.each(Object.keys(sources))("the adapter %s has at most 250 lines", (name) => {
    expect(linesOf(name)).toBeLessThanOrEqual(250);
  });
});
