import { describe, expect, test } from "vitest";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { MemorySessionStore } from "../conversation/store.ts";
import { parseInvocations } from "../session/invocation.ts";
import { defineSkill } from "../skill/define-skill.ts";
import type { SentMessage, TurnMessage } from "./turn.ts";

const user = (text: string): TurnMessage => ({ role: "user", text });
const model = (text: string): TurnMessage => ({ role: "assistant", text });
const skill = (name: string, body = `BODY ${name} for $ARGUMENTS.`, userInvocable = true) =>
  defineSkill({ name, description: `Does ${name}.`, body, userInvocable });
const skills = [..."abcdef"].map((name) => skill(name));
const textOf = (messages: readonly SentMessage[]): string => messages.map(({ text }) => text).join("\n");

describe("leading names of a message", () => {
  test.each([
    ["/a /b make it", ["a", "b"], "make it"],
    ["/b\n/a\ngo", ["b", "a"], "go"],
    ["/a /a /b /a go", ["a", "b"], "go"],
    ["/a /etc/passwd", ["a"], "/etc/passwd"],
    ["/a go /b", ["a"], "go /b"],
    ["/a /models-only go", ["a"], "/models-only go"],
    ["/a /b /c /d /e /f go", ["a", "b", "c", "d", "e"], "/f go"],
    ["/a /b", ["a", "b"], ""],
    ["/a/b go", [], undefined],
    ["/none /a go", [], undefined],
    [" /a go", [], undefined],
  ])("%j invoke %j", async (text, names, words) => {
    const skillset = await createSkillset([...skills, skill("models-only", "Body.", false)]);
    const invocations = parseInvocations(text, skillset);
    expect(invocations.map((one) => one.skill.name)).toEqual(names);
    expect(invocations[0]?.arguments).toBe(words);
    expect(invocations.every(({ bare }) => bare === (words === ""))).toBe(true);
  });

  test("activate each skill in their order, with the same arguments", async () => {
    const session = await (await createSkillset(skills)).session();
    const { invoked, messages } = await session.turn([user("/b /a make it")]);
    expect(invoked.map((one) => [one.skill.name, one.arguments])).toEqual([
      ["b", "make it"],
      ["a", "make it"],
    ]);
    expect(messages[0]?.text).toMatch(
      /^<skill_content name="b">\nBODY b for make it\.[\s\S]*BODY a for make it\.[\s\S]*\n\nmake it$/,
    );
    expect(session.active).toEqual(["b", "a"]);
  });

  test("are replaced by the same bytes in later turns, also after a restart", async () => {
    const store = new MemorySessionStore();
    const first = await (await createSkillset(skills)).session({ id: "chat", store });
    const asked = [user("/b /a make it")];
    const sent = await first.turn(asked);
    const later = [...asked, model("Done."), user("Next, please.")];
    const again = await first.turn(later);
    const restored = await (await createSkillset(skills)).session({ id: "chat", store });
    expect(again.messages[0]).toEqual(sent.messages[0]);
    expect((await restored.turn(later)).messages).toEqual(again.messages);
  });

  test("leave out a skill that was deactivated since, and keep the arguments of the others", async () => {
    const session = await (await createSkillset(skills)).session();
    await session.turn([user("/a /b make it")]);
    await session.deactivate("b");
    const { messages } = await session.turn([user("/a /b make it"), model("Done."), user("Next.")]);
    expect(textOf(messages)).toContain("BODY a for make it.");
    expect(textOf(messages)).not.toContain("BODY b");
  });
});

describe("the arguments of an invocation whose message was dropped", () => {
  test("are in the instructions that are sent again, also after a restart", async () => {
    const store = new MemorySessionStore();
    const first = await (await createSkillset(skills)).session({ id: "chat", store });
    await first.turn([user("/a make it")]);
    const restored = await (await createSkillset(skills)).session({ id: "chat", store });
    for (const session of [restored, await (await createSkillset(skills)).session({ id: "chat", store })]) {
      const { messages } = await session.turn([user("Next, please.")]);
      expect(textOf(messages)).toContain("BODY a for make it.");
    }
  });

  test("are lost once the model has read the instructions without them", async () => {
    const session = await (await createSkillset(skills)).session();
    await session.turn([user("/a make it")]);
    const { text } = await session.activate("a");
    const { messages } = await session.turn([{ role: "tool", text }, user("Next, please.")]);
    expect(textOf(messages)).not.toContain("make it");
  });
});

test("the frontmatter names the arguments, and has a hint for people", async () => {
  const named = defineSkill({
    name: "issue",
    description: "Fixes issues.",
    body: "Fix $number on $branch.",
    metadata: { arguments: "number branch", "argument-hint": "[number] [branch]" },
  });
  expect(named).toMatchObject({ argumentNames: ["number", "branch"], argumentHint: "[number] [branch]" });
  const session = await (await createSkillset([named])).session();
  expect((await session.turn([user("/issue 7 main")])).messages[0]?.text).toContain("Fix 7 on main.");
});
