import { describe, expect, test } from "vitest";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { compactWith } from "../compact/compact-with.ts";
import { MemorySessionStore } from "../conversation/store.ts";
import type { SessionOptions } from "../session/options.ts";
import { defineSkill } from "../skill/define-skill.ts";
import type { Skill } from "../skill/skill.ts";
import type { SentMessage, TurnMessage } from "./turn.ts";

const user = (text: string): TurnMessage => ({ role: "user", text });
const model = (text: string): TurnMessage => ({ role: "assistant", text });
const skill = (name: string, keywords: string, more: object = {}): Skill =>
  defineSkill({
    name,
    description: `Makes ${name}.`,
    body: `BODY ${name}.`,
    metadata: { "trigger-keywords": keywords },
    ...more,
  });
const tea = skill("tea", "tea, green tea");
const coffee = skill("coffee", "coffee, espresso");
const milk = skill("milk", "milk");
const open = async (skills: readonly Skill[], options: SessionOptions = { triggers: "activate" }) =>
  (await createSkillset(skills)).session(options);
const textOf = (messages: readonly SentMessage[]): string => messages.map(({ text }) => text).join("\n");
const count = (messages: readonly SentMessage[], text: string): number => textOf(messages).split(text).length - 1;

describe("a message that matches a trigger", () => {
  test("does nothing by default", async () => {
    const session = await open([tea], {});
    const { messages } = await session.turn([user("Tea, please.")]);
    expect(messages).toEqual([user("Tea, please.")]);
    expect(session.active).toEqual([]);
  });

  test("activates the skill: its instructions come before the unchanged words", async () => {
    const session = await open([tea, coffee]);
    const { messages, invoked } = await session.turn([user("Tea, please.")]);
    expect(messages[0]?.text).toMatch(/^<skill_content name="tea">\nBODY tea\.[\s\S]*\n\nTea, please\.$/);
    expect([session.active, invoked]).toEqual([["tea"], []]);
    expect(session.ledger.entries).toMatchObject([
      { type: "skills-offered" },
      { type: "skill-triggered", skill: "tea", kind: "keyword", trigger: "tea", mode: "activate" },
      { type: "skill-activated", skill: "tea", by: "trigger" },
    ]);
  });

  test("only names the skill in suggest mode", async () => {
    const session = await open([tea], { triggers: "suggest" });
    const asked = [user("Tea, please.")];
    const { messages } = await session.turn(asked);
    expect(messages[0]?.text).toMatch(/These skills may fit this message: tea\.[\s\S]*\n\nTea, please\.$/);
    expect(session.active).toEqual([]);
    expect(session.ledger.entries.at(-1)).toMatchObject({ type: "skill-triggered", mode: "suggest" });
    expect((await session.turn(asked)).messages).toEqual(messages);
    const later = await session.turn([...asked, model("Which?"), user("Green.")]);
    expect(later.messages[0]).toEqual(messages[0]);
    expect(count(later.messages, "may fit")).toBe(1);
  });

  test("triggers at most two skills: the longest keyword first, then by precedence", async () => {
    const session = await open([milk, coffee, tea]);
    await session.turn([user("green tea, coffee and milk")]);
    expect(session.active).toEqual(["tea", "coffee"]);
  });

  test("is sent with the same bytes in later turns and after a restart, and triggers once", async () => {
    const store = new MemorySessionStore();
    const first = await open([tea], { triggers: "activate", id: "chat", store });
    const asked = [user("Tea, please.")];
    const sent = await first.turn(asked);
    expect((await first.turn(asked)).messages).toEqual(sent.messages);
    const later = [...asked, model("Which tea?"), user("Green tea.")];
    const again = await first.turn(later);
    const restored = await open([tea], { triggers: "activate", id: "chat", store });
    expect(again.messages[0]).toEqual(sent.messages[0]);
    expect((await restored.turn(later)).messages).toEqual(again.messages);
    expect(count(again.messages, "BODY tea.")).toBe(1);
    expect(first.ledger.entries.filter(({ type }) => type === "skill-triggered")).toHaveLength(1);
  });

  test("is left alone once the skill was deactivated, and the next match activates it again", async () => {
    const session = await open([tea]);
    await session.turn([user("Tea, please.")]);
    await session.deactivate("tea");
    const asked = [user("Tea, please."), model("Done."), user("More.")];
    expect(count((await session.turn(asked)).messages, "BODY tea.")).toBe(0);
    const more = [...asked, model("Of what?"), user("Of the tea.")];
    expect(count((await session.turn(more)).messages, "BODY tea.")).toBe(1);
  });

  test("triggers again if it is asked again after all its skills were deactivated", async () => {
    const session = await open([tea, coffee]);
    const asked = [user("Tea and coffee.")];
    await session.turn(asked);
    await session.deactivate("tea");
    await session.turn(asked);
    expect(session.active).toEqual(["coffee"]);
    await session.deactivate("coffee");
    const { messages } = await session.turn(asked);
    expect([count(messages, "BODY tea."), count(messages, "BODY coffee.")]).toEqual([1, 1]);
    expect([...session.active].sort()).toEqual(["coffee", "tea"]);
  });

  test("that invokes a skill by name triggers no other", async () => {
    const session = await open([tea, coffee]);
    await session.turn([user("/coffee or tea")]);
    expect(session.active).toEqual(["coffee"]);
  });

  test("does not fail if the skill does not fit into the budget", async () => {
    const session = await open([tea], { triggers: "activate", budget: { tokens: 1 } });
    const { messages } = await session.turn([user("Tea, please.")]);
    expect(messages).toEqual([user("Tea, please.")]);
    expect(session.ledger.entries.at(-1)).toMatchObject({ type: "operation-failed", code: "budget-exceeded" });
  });

  test("keeps one copy of the instructions when the history is shortened", async () => {
    const session = await open([tea]);
    const asked = [user("A long story. ".repeat(400)), model("Yes?"), user("Tea, please."), model("Which tea?")];
    await session.turn(asked.slice(0, 3));
    const shape = {
      read: ({ role, text }: TurnMessage) => ({ role, text }),
      mapText: (message: TurnMessage, change: (text: string) => string) => ({ ...message, text: change(message.text) }),
      replaceText: (message: TurnMessage, texts: readonly string[]) => ({ ...message, text: texts.join("\n\n") }),
      write: (text: string) => user(text),
    };
    for (const tokens of [100, 10_000]) {
      const { messages: kept } = await compactWith(session, asked, { budget: { tokens } }, shape);
      const { messages } = await session.turn([...kept, user("Green.")]);
      expect(count(messages, "BODY tea.")).toBe(1);
      expect(textOf(messages)).toContain("Tea, please.");
    }
  });

  test("adds the instructions to one request of a model without tools", async () => {
    const session = await open([tea]);
    const { instructions, messages } = await session.turn([user("Tea, please.")], { mode: "inject" });
    expect(instructions).toContain("BODY tea.");
    expect(messages).toEqual([user("Tea, please.")]);
    expect(session.active).toEqual([]);
    expect(session.ledger.entries).toMatchObject([{ type: "skill-triggered", skill: "tea" }]);
    const next = [user("Tea, please."), model("Which?"), user("Green.")];
    expect((await session.turn(next, { mode: "inject" })).instructions).toBe("");
  });
});

describe("nothing is triggered by", () => {
  test.each<[string, readonly TurnMessage[]]>([
    ["a tool's result", [user("Hi."), { role: "tool", text: "tea" }]],
    ["the assistant", [user("Hi."), model("Tea?")]],
    ["an earlier message", [user("Tea, please."), model("Hm."), user("Hi.")]],
    ["a system message", [{ role: "system", text: "tea" }, user("Hi.")]],
  ])("%s", async (_who, messages) => {
    const session = await open([tea]);
    await session.turn(messages);
    expect([session.active, session.ledger.entries.some(({ type }) => type === "skill-triggered")]).toEqual([
      [],
      false,
    ]);
  });

  test("a message that a host stored as it was sent", async () => {
    const cups = skill("cups", "cup", { body: "Needs tea." });
    const first = await open([cups]);
    const { messages } = await first.turn([user("A cup, please.")]);
    const session = await open([cups, tea]);
    await session.turn(messages);
    expect(session.active).toEqual(["cups"]);
    const later = await first.turn([...messages, model("Done."), user("Thanks.")]);
    expect(later.messages[0]?.text).toBe(messages[0]?.text);
  });

  test("instructions that the library inserted", async () => {
    const session = await open([skill("cups", "cup", { body: "Needs tea." }), tea]);
    await session.turn([user("A cup, please."), model("Done."), user("Thanks.")]);
    await session.turn([user("A cup, please.")]);
    expect(session.active).toEqual(["cups"]);
  });
});

test.each([
  ["that models cannot activate", skill("tea", "tea", { disableModelInvocation: true })],
  ["that another program serves", { ...tea, isRemote: true }],
  ["from another provider", { ...tea, provider: "MCP server 'acme'" }],
])("a skill %s is never triggered", async (_which, one) => {
  const session = await open([one as Skill]);
  await session.turn([user("Tea, please.")]);
  expect(session.active).toEqual([]);
});

test("an unknown mode is refused", async () => {
  await expect(open([tea], { triggers: "on" as never })).rejects.toMatchObject({ code: "option-invalid" });
});
