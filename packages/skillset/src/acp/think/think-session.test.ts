import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type ScriptStep, startScriptedAgent } from "../../../../testing/src/index.ts";
import { createSkillset, defineSkill, MemorySessionStore } from "../../index.ts";
import { connectAgent } from "../index.ts";

const TEA = defineSkill({
  name: "tea",
  description: "Makes tea.",
  body: "Steep.",
  tools: [{ name: "brew", description: "B", handler: () => "brewed" }],
});
const COFFEE = defineSkill({ name: "coffee", description: "Makes coffee.", body: "Grind." });
const ACTIVATE_TEA = { call: "activate_skill", input: { name: "tea" } };

async function start(script: readonly ScriptStep[]) {
  const scripted = await startScriptedAgent(script);
  const agent = await connectAgent(scripted.app);
  onTestFinished(async () => {
    await agent.close();
    await scripted.close();
  });
  return { agent, scripted };
}

test("each prompt of a session has its own tools, skills and schema, and active skills persist", async () => {
  const { agent, scripted } = await start([
    ACTIVATE_TEA,
    { call: "call_tool", input: { tool: "one", input: { n: 1 } } },
    { call: "return_result", input: { result: { first: 1 } } },
    { say: "First." },
    { call: "call_tool", input: { tool: "one", input: { n: 1 } } },
    { call: "call_tool", input: { tool: "two", input: {} } },
    { call: "activate_skill", input: { name: "coffee" } },
    { call: "call_skill_tool", input: { skill: "tea", tool: "brew", input: {} } },
    { call: "return_result", input: { result: ["second"] } },
    { say: "Second." },
  ]);
  await using chat = agent.session();
  const first = await chat
    .think(z.object({ first: z.number() }))
    .skill(TEA)
    .tool("one", "The first tool", z.object({ n: z.number() }), ({ n }) => `one ${n}`)
    .text("Go.")
    .run();
  expect(chat.active).toEqual(["tea"]);
  const second = await chat
    .think(z.array(z.string()))
    .skill(COFFEE)
    .tool("two", "The second tool", () => "two")
    .text("Continue.")
    .run();
  expect([first, second]).toEqual([{ first: 1 }, ["second"]]);
  expect(chat.active).toEqual(["tea", "coffee"]);
  const results = scripted.requests.at(-1)?.toolResults.map(({ text }) => text) ?? [];
  expect(results).toContain("one 1");
  expect(results.slice(-5)).toEqual([
    "There is no tool 'one'. Available: two.",
    "two",
    expect.stringContaining("Grind."),
    "brewed",
    expect.stringContaining("accepted"),
  ]);
  const [opening = "", later = ""] =
    scripted.requests.at(-1)?.messages.flatMap(({ role, text }) => (role === "user" ? [text] : [])) ?? [];
  expect(opening).toContain("- one: The first tool. Input: {");
  expect(opening).toMatch(/fits this JSON Schema: \{.*"first"/);
  expect(later).toMatch(/These skills are new:[\s\S]*Makes coffee/);
  expect(later).toContain("(activated_skill_names): tea.");
  expect(later).toMatch(/fits this JSON Schema: \{.*"array"/);
});

test("skills of a prompt that were not activated are gone in the next one", async () => {
  const { agent, scripted } = await start([{ say: "First." }, ACTIVATE_TEA, { say: "Second." }]);
  await using chat = agent.session();
  await chat.think().skill(TEA).text("Hi.").run();
  expect(await chat.think().text("Tea?").run()).toBe("Second.");
  expect(scripted.requests.at(-1)?.toolResults.at(-1)?.text).toBe("Unknown skill 'tea'. Available: none.");
  expect(
    scripted.requests
      .at(-1)
      ?.messages.map(({ text }) => text)
      .join("\n"),
  ).toContain("These skills are gone: tea.");
});

test("the catalog is sent once per session, then only its changes", async () => {
  const { agent, scripted } = await start([{ say: "1" }, { say: "2" }, { say: "3" }]);
  const skills = await (await createSkillset([TEA])).session();
  await using chat = agent.session({ skills });
  for (const text of ["a", "b", "c"]) await chat.think().text(text).run();
  const said = scripted.requests.at(-1)?.messages.map(({ text }) => text) ?? [];
  expect(said.join("\n").split("Makes tea.")).toHaveLength(2);
  expect(said.at(-1)).toBe("c");
});

test("prompts of a session are answered one after another, in order", async () => {
  const { agent } = await start([{ say: "1" }, { say: "2" }, { say: "3" }]);
  await using chat = agent.session();
  expect(await Promise.all(["a", "b", "c"].map((text) => chat.think().text(text).run()))).toEqual(["1", "2", "3"]);
});

test("a failed prompt does not end the session", async () => {
  const { agent } = await start([{ say: "Hello." }]);
  await using chat = agent.session();
  await expect(chat.think().skill("/nowhere").text("Hi.").run()).rejects.toMatchObject({ code: "source-not-found" });
  expect(await chat.think().text("Hi.").run()).toBe("Hello.");
});

test("a given session continues with the state in its store", async () => {
  const store = new MemorySessionStore();
  const skillset = await createSkillset([TEA]);
  const first = await start([ACTIVATE_TEA, { say: "Done." }]);
  await first.agent
    .session({ skills: await skillset.session({ id: "a", store }) })
    .think()
    .text("Tea.")
    .run();
  const second = await start([{ say: "Hello again." }]);
  const chat = second.agent.session({ skills: await skillset.session({ id: "a", store }) });
  expect(chat.active).toEqual(["tea"]);
  await chat.think().text("Hi.").run();
  expect(second.scripted.requests[0]?.messages[0]?.text).toContain("Steep.");
});

test("concurrent runs on one agent are isolated", async () => {
  const { agent } = await start([
    { call: "secret", input: {} },
    (request) => ({ call: "return_result", input: { result: request.toolResults.at(-1)?.text } }),
    { say: "Done." },
  ]);
  const secrets = Array.from({ length: 10 }, (_, index) => `secret ${index}`);
  const results = await Promise.all(
    secrets.map((secret) =>
      agent
        .think(z.string())
        .tool("secret", "S", () => secret)
        .text("Say it.")
        .run(),
    ),
  );
  expect(results).toEqual(secrets);
});

test("closing a session ends its active and queued prompts, and no other session", async () => {
  const { agent } = await start([{ hang: true }]);
  const chat = agent.session();
  const [first, second] = [chat.think().text("a").run(), chat.think().text("b").run()];
  const outcomes = Promise.allSettled([first, second]);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await chat.close();
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ reason: { message: "The conversation was closed." } });
  await expect(chat.think().text("c").run()).rejects.toThrow("closed");
  await expect(agent.think().text("d").timeout(300).run()).rejects.toMatchObject({ code: "run-timed-out" });
});

test("in a conversation, a result for an empty schema is returned completely", async () => {
  const { agent } = await start([{ call: "return_result", input: { result: { note: "kept" } } }, { say: "Done." }]);
  await using chat = agent.session();
  expect(
    await chat
      .think(z.object({ note: z.string().optional() }))
      .text("Note it.")
      .run(),
  ).toEqual({ note: "kept" });
});
