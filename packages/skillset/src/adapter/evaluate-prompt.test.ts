import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Anthropic } from "@anthropic-ai/sdk";
import { OpenAI } from "openai";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { evaluatePrompt as evaluateAny } from "../ai-sdk/index.ts";
import { evaluatePrompt as evaluateMessages } from "../anthropic/index.ts";
import { evaluatePrompt as evaluateChat } from "../openai/index.ts";
import { AgentSkillsSection, MarkdownSection, Prompt, PromptTemplate } from "../prompt/index.ts";
import { type ScriptStep, startScriptedModel } from "../testing/index.ts";
import { conductPrompt, type EvaluatePromptOptions } from "./index.ts";

const task = new MarkdownSection({ title: "Task", key: "task", template: "Count to three." });
const output = z.object({ count: z.number() });
const prompt = new Prompt(new PromptTemplate({ ns: "test", key: "count", sections: [task], output }));
const RETURN: ScriptStep = { call: "return_result", input: { result: { count: 3 } } };

type Options = Omit<EvaluatePromptOptions<{ count: number }>, "prompt">;

const evaluators: readonly [string, (url: string, options: Options) => Promise<unknown>][] = [
  [
    "openai",
    (url, options) => {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "any", maxRetries: 0 });
      return evaluateChat({ client, prompt, request: { model: "any" }, ...options });
    },
  ],
  [
    "anthropic",
    (url, options) => {
      const client = new Anthropic({ baseURL: url, apiKey: "any", maxRetries: 0 });
      return evaluateMessages({ client, prompt, request: { model: "any", max_tokens: 64_000 }, ...options });
    },
  ],
  [
    "ai-sdk",
    (url, options) => {
      const model = createOpenAICompatible({ name: "scripted", baseURL: `${url}/v1` }).chatModel("any");
      return evaluateAny({ prompt, request: { model }, ...options });
    },
  ],
];

describe.each(evaluators)("'maxSteps' of skillset/%s", (_name, evaluate) => {
  const run = async (script: readonly ScriptStep[], options: Options) => {
    const scripted = await startScriptedModel(script);
    onTestFinished(() => scripted.close());
    const result = await evaluate(scripted.url, options).catch((error: unknown) => error);
    return { result, count: scripted.requests.length };
  };

  test("counts the requests before and after a reminder together", async () => {
    const invalid: ScriptStep = { call: "return_result", input: { result: { count: "three" } } };
    const script = [invalid, { say: "Three." }, invalid, RETURN];
    const { result, count } = await run(script, { maxSteps: 3 });
    expect(result).toMatchObject({ code: "run-failed", message: expect.stringContaining("'maxSteps'") });
    expect(count).toBe(3);
    expect(await run(script, { maxSteps: 4 })).toMatchObject({ result: { output: { count: 3 } }, count: 4 });
  });

  test("leaves no request for a reminder after the last one", async () => {
    const { result, count } = await run([{ say: "Three." }, RETURN], { maxSteps: 1 });
    expect(result).toMatchObject({ code: "run-failed", message: expect.stringContaining("'maxSteps' (1)") });
    expect(count).toBe(1);
    expect(await run([{ say: "Three." }, RETURN], { maxSteps: 1.5 })).toMatchObject({ count: 2 });
  });

  test.each([0, -1, Number.NaN])("cannot be %s", async (maxSteps) => {
    expect(await run([RETURN], { maxSteps })).toMatchObject({ result: { code: "option-invalid" }, count: 0 });
  });
});

test("an explicit mode of undefined is the default: the model loads skills with tools", async () => {
  const section = new AgentSkillsSection({
    skillsDir: temporaryFolder({ "tea/SKILL.md": skillMd("tea", "Makes tea.") }),
  });
  const listed = new Prompt(new PromptTemplate({ ns: "test", key: "tea", sections: [section] }));
  const offered: string[] = [];
  await conductPrompt({ prompt: listed, mode: undefined }, async (_text, { tools }) => {
    offered.push(...tools.map(({ name }) => name));
    return { text: "Done.", finish: "stop" };
  });
  expect(offered).toContain("activate_skill");
});
