import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { expect, expectTypeOf, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { type ScriptStep, startScriptedModel } from "../../../testing/src/index.ts";
import { createSkillset, defineSkill } from "../index.ts";
import type { ScriptHooks } from "../scripts/index.ts";
import { createChat } from "./index.ts";

const tea = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Steep for 3 minutes.",
});

async function open(script: readonly ScriptStep[]) {
  const scripted = await startScriptedModel(script);
  onTestFinished(() => scripted.close());
  const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");
  return {
    scripted,
    chat: await createChat({
      skills: await createSkillset([tea]),
      request: { model, instructions: "You are a waiter." },
    }),
  };
}

test("a chat keeps the messages and the active skills from one message to the next", async () => {
  const { scripted, chat } = await open([
    { call: "activate_skill", input: { name: "tea" } },
    { say: "Three minutes." },
    { say: "You are welcome." },
  ]);
  const { text } = await chat.send("How long for tea?");
  expectTypeOf(text).toBeString();
  expect(text).toBe("Three minutes.");
  expect((await chat.send("Thanks!")).text).toBe("You are welcome.");
  expect(chat.session.active).toEqual(["tea"]);
  expect(chat.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
    "assistant",
  ]);
  expect(scripted.requests[2]?.system).toBe(scripted.requests[0]?.system);
  expect(scripted.faults).toEqual([]);
});

test("simultaneous messages are answered one after the other", async () => {
  const { chat } = await open([{ say: "One." }, { say: "Two." }]);
  const answers = await Promise.all([chat.send("First"), chat.send("Second")]);
  expect(answers.map(({ text }) => text)).toEqual(["One.", "Two."]);
  expect(chat.messages.map(({ content }) => (typeof content === "string" ? content : ""))).toEqual([
    "First",
    "",
    "Second",
    "",
  ]);
});

test("an unread stream does not block the next message", async () => {
  const { chat } = await open([{ say: "One." }, { say: "Two." }]);
  const stream = await chat.stream("First");
  expect((await chat.send("Second")).text).toBe("Two.");
  expect(await stream.text).toBe("One.");
});

test("an aborted message leaves the conversation unchanged", async () => {
  const { chat } = await open([{ say: "One." }]);
  await expect(chat.send("First", { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  expect(chat.messages).toEqual([]);
  expect((await chat.send("Again")).text).toBe("One.");
});

test("a chat without a model is refused at once", async () => {
  const skills = await createSkillset([tea]);
  await expect(createChat({ skills, request: {} as never })).rejects.toThrow("createChat() needs a model");
  await expect(createChat({ skills } as never)).rejects.toThrow("'request' is missing");
});

test("a chat asks for consent and shows live output through its session's options", async () => {
  const folder = temporaryFolder({
    "brew/SKILL.md": skillMd("brew", "Brews."),
    "brew/scripts/brew.sh": 'echo "brewing $1"\n',
  });
  const skills = await createSkillset([folder], { scripts: { runner: "subprocess" } });
  const input = { skill: "brew", script: "scripts/brew.sh", args: ["green"] };
  const scripted = await startScriptedModel([{ call: "run_skill_script", input }, { say: "Done." }]);
  onTestFinished(() => scripted.close());
  const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");
  const seen: unknown[] = [];
  const scripts: ScriptHooks = {
    consent: ({ skill, script }) => {
      seen.push({ skill, script });
      return "once";
    },
    onOutput: (output) => void seen.push(output),
  };
  const chat = await createChat({ skills, session: { scripts }, request: { model } });
  const { steps } = await chat.send("Tea, please.");
  const about = { skill: "brew", script: "scripts/brew.sh" };
  expect(seen).toEqual([about, { ...about, stream: "stdout", text: "brewing green\n" }]);
  expect(steps[0]?.toolResults[0]?.output).toMatchObject({ isError: false, data: { outcome: "exited", exitCode: 0 } });
});
