import { afterEach, describe, expect, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import type { ChatMessage } from "../../shared/api.ts";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const FILES = {
  ".skills/tea/SKILL.md": skillMd("tea", "Makes tea.", "BODY-OF-TEA", 'triggers:\n  keywords: ["tea", "matcha"]\n'),
};
const settings = (triggers?: string) => `[app.skills]
enabled = true
directories = ["./.skills"]
${triggers === undefined ? "" : `triggers = "${triggers}"`}
`;
const open = (triggers?: string) =>
  openChat({ files: FILES, config: settings(triggers), script: Array(4).fill({ say: "Here." }) });

const activationOf = ({ parts }: ChatMessage) => parts.find(({ type }) => type === "tool-skills_activate");
const count = (request: unknown, text: string) => JSON.stringify(request).split(text).length - 1;

test("by default a message triggers nothing", async () => {
  const chat = await open();
  const id = await chat.create();
  const { last } = await chat.say(id, "Tea, please.");
  expect(activationOf(last)).toBeUndefined();
  expect(count(chat.model.requests[0], "BODY-OF-TEA")).toBe(0);
});

describe('with triggers = "activate"', () => {
  test("the answer starts with the activation and what matched, and still does after a reload", async () => {
    const chat = await open("activate");
    const id = await chat.create();
    const { chunks } = await chat.say(id, "Tea, please.");
    const { messages, active } = await chat.load(id);
    expect(activationOf(messages.at(-1) as ChatMessage)).toMatchObject({
      toolCallId: expect.stringMatching(/^trigger-/),
      input: { name: "tea", trigger: { kind: "keyword", trigger: "tea" } },
      output: { isError: false, text: expect.stringContaining("BODY-OF-TEA"), data: { name: "tea", changed: false } },
    });
    expect(active).toMatchObject([{ name: "tea", by: "trigger" }]);
    expect(chunks.some(({ type }) => type === "data-active")).toBe(true);
    expect(chat.log).toContainEqual(
      expect.objectContaining({ event: "skill-triggered", skill: "tea", kind: "keyword", trigger: "tea" }),
    );
  });

  test("requests contain the instructions once, in the user's message", async () => {
    const chat = await open("activate");
    const id = await chat.create();
    await chat.say(id, "Tea, please.");
    await chat.say(id, "More matcha.");
    for (const request of chat.model.requests) {
      expect(count(request.messages, "BODY-OF-TEA")).toBe(1);
      expect(count(request.messages, "tool_calls")).toBe(0);
      expect(request.messages.find(({ role }) => role === "user")?.text).toMatch(/BODY-OF-TEA[\s\S]*Tea, please\.$/);
    }
  });

  test("a regenerated answer has the activation again, and an edited message without the word has not", async () => {
    const chat = await open("activate");
    const id = await chat.create();
    await chat.say(id, "Tea, please.", { messageId: "one" });
    const again = await chat.say(id, "Tea, please.", { messageId: "two", replaceFrom: "one" });
    expect(activationOf(again.last)).toMatchObject({ input: { name: "tea" } });
    expect(count(chat.model.requests[1]?.messages, "BODY-OF-TEA")).toBe(1);
    const edited = await chat.say(id, "Water, please.", { messageId: "three", replaceFrom: "two" });
    expect(activationOf(edited.last)).toBeUndefined();
    expect(count(chat.model.requests[2]?.messages, "BODY-OF-TEA")).toBe(0);
    expect((await chat.load(id)).active).toEqual([]);
  });

  test("a model without tools gets the instructions for one answer, with a note", async () => {
    const chat = await open("activate");
    const id = await chat.create();
    const { last } = await chat.say(id, "Tea, please.", { modelId: "scripted/plain" });
    expect(chat.model.requests[0]?.system).toContain("BODY-OF-TEA");
    const matched = [{ kind: "keyword", trigger: "tea" }];
    expect(last.metadata).toMatchObject({ fallback: "tea", triggered: matched });
    expect((await chat.load(id)).active).toEqual([]);
  });
});

test('with triggers = "suggest", the model reads which skill may fit, and no card is shown', async () => {
  const chat = await open("suggest");
  const id = await chat.create();
  const { last } = await chat.say(id, "Tea, please.");
  expect(chat.model.requests[0]?.messages.at(-1)?.text).toContain("These skills may fit this message: tea.");
  expect(activationOf(last)).toBeUndefined();
  expect((await chat.load(id)).active).toEqual([]);
});
