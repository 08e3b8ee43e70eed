import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Anthropic } from "@anthropic-ai/sdk";
import { OpenAI } from "openai";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { type ReceivedRequest, type ScriptStep, startScriptedModel } from "../../../testing/src/index.ts";
import { evaluatePrompt as evaluateAny } from "../ai-sdk/index.ts";
import { evaluatePrompt as evaluateMessages } from "../anthropic/index.ts";
import { evaluatePrompt as evaluateChat } from "../openai/index.ts";
import { AgentSkillsSection, MarkdownSection, Prompt, PromptTemplate, WorkspaceSection } from "../prompt/index.ts";
import { conductPrompt, type EvaluatePromptOptions } from "./index.ts";

const task = new MarkdownSection({ title: "Task", key: "task", template: "Count to three." });
const output = z.object({ count: z.number() });
const prompt = new Prompt(new PromptTemplate({ ns: "test", key: "count", sections: [task], output }));
const RETURN: ScriptStep = { call: "return_result", input: { result: { count: 3 } } };

const PNG = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, 0]);

type Options = Partial<EvaluatePromptOptions<{ count: number }>> & { readonly files?: boolean };

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

async function play(
  evaluate: (typeof evaluators)[number][1],
  script: readonly ScriptStep[],
  options: Options,
): Promise<{ readonly result: unknown; readonly count: number; readonly requests: readonly ReceivedRequest[] }> {
  const scripted = await startScriptedModel(script);
  onTestFinished(() => scripted.close());
  const result = await evaluate(scripted.url, options).catch((error: unknown) => error);
  return { result, count: scripted.requests.length, requests: scripted.requests };
}

describe.each(evaluators)("the options of skillset/%s", (_name, evaluate) => {
  test("'files: false' keeps an image from the model, which is told that", async () => {
    const folder = temporaryFolder({ "tea/SKILL.md": skillMd("tea", "Makes tea."), "tea/leaf.png": PNG });
    const section = new AgentSkillsSection({ skillsDir: folder });
    const listed = new Prompt(new PromptTemplate({ ns: "test", key: "tea", sections: [section], output }));
    const script = [{ call: "read_skill_file", input: { skill: "tea", path: "leaf.png" } }, RETURN];
    const sent = await play(evaluate, script, { prompt: listed });
    expect(sent.requests[1]?.files).toMatchObject([{ kind: "image", mediaType: "image/png" }]);
    const kept = await play(evaluate, script, { prompt: listed, files: false });
    expect(kept.requests[1]?.files).toEqual([]);
    expect(kept.requests[1]?.toolResults[0]?.text).toBe("'leaf.png' is a binary file: binary not supported.");
  });

  test.each<[string, unknown, string]>([
    ["tools", [], "Add your tools to a section of the prompt."],
    ["compact", { tokens: 1_000 }, "A prompt and its answer are never shortened."],
    ["returnTool", false, "Known options: prompt, "],
    ["maxStep", 3, "Did you mean 'maxSteps'?"],
  ])("do not have '%s', which is refused before a request is sent", async (name, value, fix) => {
    const { result, count } = await play(evaluate, [RETURN], { [name]: value } as Options);
    expect(result).toMatchObject({
      code: "option-invalid",
      message: expect.stringContaining(`An evaluation has no option '${name}'. ${fix}`),
    });
    expect(count).toBe(0);
  });

  test("have 'onWarning', which is told of a skill that is not listed because its link leaves the folder", async () => {
    const root = temporaryFolder({ "shared/tea/SKILL.md": skillMd("tea", "Makes tea."), "skills/README.md": "" });
    symlinkSync(join(root, "shared/tea"), join(root, "skills/tea"));
    const section = new AgentSkillsSection({ skillsDir: join(root, "skills") });
    const listed = new Prompt(new PromptTemplate({ ns: "test", key: "tea", sections: [section], output }));
    const warnings: string[] = [];
    await play(evaluate, [RETURN], { prompt: listed, onWarning: (message) => warnings.push(message) });
    expect(warnings[0]).toContain("'tea' is a link that leaves its folder");
  });

  test("cannot give a model the folder of a workspace, so such a prompt is refused", async () => {
    using workspace = new WorkspaceSection({ mounts: [], allowedHostRoots: [] });
    const sections = [new MarkdownSection({ title: "Work", key: "work", template: "Do it.", children: [workspace] })];
    const working = new Prompt(new PromptTemplate({ ns: "test", key: "work", sections, output }));
    const { result, count } = await play(evaluate, [RETURN], { prompt: working });
    expect(result).toMatchObject({ code: "option-invalid", message: expect.stringContaining("'work.workspace'") });
    expect(count).toBe(0);
  });

  test("that are undefined are not set", async () => {
    const { result } = await play(evaluate, [RETURN], { compact: undefined, files: undefined } as Options);
    expect(result).toMatchObject({ output: { count: 3 } });
  });
});

describe.each(evaluators)("'maxSteps' of skillset/%s", (_name, evaluate) => {
  const run = (script: readonly ScriptStep[], options: Options) => play(evaluate, script, options);

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
