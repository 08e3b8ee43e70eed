import { rmSync } from "node:fs";
import type { ScriptStep } from "@skillset/testing";
import { goneText } from "skillset/adapter";
import { afterEach, expect, test } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../test/temporary-folder.ts";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const NAMES = ["ant", "bee", "cow", "dog", "elk", "fox", "gnu"];
const file = (name: string, version = 1) => ({
  [`.skills/${name}/SKILL.md`]: skillMd(
    name,
    `Knows the ${name}.`,
    `Version ${version} of what to say of the ${name}.`,
  ),
});
const TURNS = Array.from({ length: 20 }, (_, index) => {
  if (index === 3) return { text: "/bee in the garden", calls: [] };
  if (index === 17) return { text: "/fox and friends", calls: [] };
  const name = { 1: "ant", 5: "cow", 9: "dog", 15: "elk" }[index];
  const calls = name === undefined ? [] : [{ call: "skills_activate", input: { name } }];
  return { text: `Turn ${index}, please.`, calls };
});
const [RESTARTS_AT, CHANGES_AT, VANISHES_AT] = [8, 11, 14];

test("twenty turns repeat earlier requests byte for byte, across a restart and a change; a removal changes only texts of the skill", async () => {
  const project = temporaryFolder(Object.assign({}, ...NAMES.map((name) => file(name))));
  const script: ScriptStep[] = TURNS.flatMap(({ calls }, index) => [...calls, { say: `Answer ${index}.` }]);
  const before = script.slice(
    0,
    script.findIndex((step) => "say" in step && step.say === `Answer ${RESTARTS_AT}.`),
  );
  let chat = await openChat({ project, script: before, pace: "global" });
  const requests: (typeof chat.model.requests)[number][] = [];
  const id = await chat.create();
  for (const [index, { text }] of TURNS.entries()) {
    if (index === RESTARTS_AT) {
      requests.push(...chat.model.requests);
      chat = await openChat({ project, script: script.slice(before.length), pace: "global" });
    }
    if (index === CHANGES_AT) writeFiles(project, file("cow", 2));
    if (index === VANISHES_AT) rmSync(`${project}/.skills/dog`, { recursive: true });
    if (index === CHANGES_AT || index === VANISHES_AT) await chat.services.skills?.registry.rescan();
    await chat.say(id, text, { messageId: `turn-${index}` });
  }
  requests.push(...chat.model.requests);
  expect(chat.model.faults).toEqual([]);
  expect(requests).toHaveLength(24);
  /** What a removal may change: the instructions of the skill that is gone. */
  const withoutDog = (messages: readonly unknown[]): unknown[] =>
    messages.map((message) => {
      const { content } = message as { readonly content?: unknown };
      return String(content).startsWith('<skill_content name="dog">')
        ? { ...(message as object), content: goneText("dog") }
        : message;
    });
  for (const [index, { body }] of requests.slice(1).entries()) {
    const earlier = requests[index]?.body as { messages: unknown[]; tools: unknown[] };
    const { messages, tools } = body as typeof earlier;
    expect(tools).toEqual(earlier.tools);
    const isGone = JSON.stringify(messages).includes(goneText("dog"));
    const wanted = isGone ? withoutDog(earlier.messages) : earlier.messages;
    expect(messages.slice(0, earlier.messages.length)).toEqual(wanted);
  }
  const told = JSON.stringify(requests.at(-1)?.body);
  expect(told.split("These skills are gone: dog.")).toHaveLength(2);
  expect(told).not.toContain("what to say of the dog");
  expect(told.split("The instructions of these skills have changed: cow.")).toHaveLength(2);
});
