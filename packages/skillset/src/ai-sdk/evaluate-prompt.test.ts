import { join } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { hasToolCall, jsonSchema, type LanguageModel, type Tool } from "ai";
import { describe, expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { type ScriptStep, startScriptedModel } from "../../../testing/src/index.ts";
import { createSkillset, defineSkill } from "../index.ts";
import { defineTool, MarkdownSection, Prompt, PromptTemplate, SkillRef, SkillsSection } from "../prompt/index.ts";
import { type EvaluateModelPromptOptions, evaluatePrompt } from "./index.ts";

const inputSchema = { type: "object" } as const;
const look = defineTool({ name: "look", description: "Looks.", inputSchema, handler: () => "A garden." });
const task = new MarkdownSection({ title: "Task", key: "task", template: "Look.", tools: [look] });
const prompt = new Prompt(new PromptTemplate({ ns: "test", key: "look", sections: [task] }));

type Options = Omit<EvaluateModelPromptOptions<undefined>, "prompt" | "request"> & { readonly prompt?: Prompt };

/** Evaluates the prompt against this script. */
async function evaluate(script: readonly ScriptStep[], request: object = {}, options: Options = {}) {
  const scripted = await startScriptedModel(script);
  onTestFinished(() => scripted.close());
  const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");
  const evaluated = evaluatePrompt({ prompt, request: { model, ...request }, ...options });
  return { result: await evaluated.catch((error: unknown) => error), requests: scripted.requests };
}

function hostTool(done: string[] = []): Tool {
  return { description: "Pays.", inputSchema: jsonSchema(inputSchema), execute: () => void done.push("paid") };
}

test("a tool in 'request.tools' that an active skill disallows is not run", async () => {
  const tea = defineSkill({ name: "tea", description: "Tea.", body: "Steep it.", allowedTools: ["look"] });
  const session = await (await createSkillset([tea], { allowedTools: "enforce" })).session();
  await session.activate("tea");
  const done: string[] = [];
  const script = [{ call: "pay", input: {} }, { say: "Sorry." }];
  const { result, requests } = await evaluate(script, { tools: { pay: hostTool(done) } }, { session });
  expect(result).toMatchObject({ text: "Sorry." });
  expect(done).toEqual([]);
  expect(requests[1]?.toolResults[0]?.text).toContain("tea");
});

test("a skill of the prompt restricts 'request.tools' once the model opens it, although the session's set lacks it", async () => {
  const fields = "allowed-tools: look\n";
  const path = join(temporaryFolder({ "tea/SKILL.md": skillMd("tea", "Tea.", "Steep it.", fields) }), "tea");
  const skills = new SkillsSection({ skillRefs: [new SkillRef({ path })] });
  const withTea = new Prompt(new PromptTemplate({ ns: "test", key: "tea", sections: [task, skills] }));
  const session = await (await createSkillset([], { allowedTools: "enforce" })).session();
  const done: string[] = [];
  const open = { call: "open_sections", input: { section_keys: ["skills.tea"], reason: "Tea." } };
  const script = [open, { call: "pay", input: {} }, { say: "Sorry." }];
  const request = { tools: { pay: hostTool(done) } };
  const { result } = await evaluate(script, request, { session, prompt: withTea });
  expect(result).toMatchObject({ text: "Sorry." });
  expect(done).toEqual([]);
});

test("a session that is only an id denies nothing", async () => {
  const done: string[] = [];
  const script = [{ call: "pay", input: {} }, { say: "Paid." }];
  await evaluate(script, { tools: { pay: hostTool(done) } }, { session: { id: "1" } });
  expect(done).toEqual(["paid"]);
});

test("'activeTools' limits the host's tools, and 'prepareStep' overrides it", async () => {
  const tools = { pay: hostTool(), ring: hostTool() };
  const offered = async (request: object) =>
    (await evaluate([{ say: "Hi." }], { tools, ...request })).requests[0]?.tools.toSorted();
  expect(await offered({})).toEqual(["look", "pay", "ring"]);
  expect(await offered({ activeTools: ["pay"] })).toEqual(["look", "pay"]);
  expect(await offered({ activeTools: ["pay"], prepareStep: () => ({ activeTools: ["ring"] }) })).toEqual([
    "look",
    "ring",
  ]);
});

test("a tool of the host with the name of one of the prompt's tools is refused before a request is sent", async () => {
  const { result, requests } = await evaluate([{ say: "Hi." }], { tools: { look: hostTool() } });
  expect(result).toMatchObject({ code: "option-invalid", message: expect.stringContaining("'look'") });
  expect(requests).toEqual([]);
});

describe("an evaluation fails", () => {
  /** A model of the AI SDK that ends every answer for this reason. */
  const ending = (unified: string): LanguageModel =>
    ({
      specificationVersion: "v4",
      provider: "test",
      modelId: "test",
      supportedUrls: {},
      doGenerate: async () => ({
        content: [],
        finishReason: { unified, raw: "overloaded" },
        usage: { inputTokens: {}, outputTokens: {} },
        warnings: [],
      }),
    }) as never;

  test("when the provider ends the answer with an error", async () => {
    const { result } = await evaluate([], { model: ending("error") });
    expect(result).toMatchObject({
      code: "run-failed",
      message: "The provider ended the answer with an error: overloaded.",
    });
  });

  test("when the answer is interrupted", async () => {
    const { result } = await evaluate([], { model: ending("interrupted") });
    expect(result).toMatchObject({ code: "run-failed", message: expect.stringContaining("cut off") });
  });

  test("when the model calls a tool without 'execute'", async () => {
    const { execute: _, ...ask } = hostTool();
    const { result } = await evaluate([{ call: "ask", input: {} }], { tools: { ask } });
    expect(result).toMatchObject({ code: "run-failed", message: expect.stringMatching(/'ask', .*'execute'/) });
  });

  test("when a call needs an approval", async () => {
    const request = { tools: { pay: hostTool() }, toolApproval: { pay: "user-approval" } };
    const { result } = await evaluate([{ call: "pay", input: {} }], request);
    expect(result).toMatchObject({ code: "run-failed", message: expect.stringMatching(/'pay', .*approval/) });
  });

  test("when the host's 'stopWhen' ends the run, and the message names 'stopWhen' and not 'maxSteps'", async () => {
    const { result } = await evaluate([{ call: "look", input: {} }], { stopWhen: hasToolCall("look") });
    expect(result).toMatchObject({ code: "run-failed", message: expect.stringContaining("'request.stopWhen'") });
    expect((result as Error).message).not.toContain("maxSteps");
  });

  test("when 'maxSteps' ends the run, also after a denied call", async () => {
    const message = expect.stringContaining("'maxSteps'");
    const byLimit = await evaluate([{ call: "look", input: {} }], {}, { maxSteps: 1 });
    expect(byLimit.result).toMatchObject({ code: "run-failed", message });
    const request = { tools: { pay: hostTool() }, toolApproval: { pay: "denied" } };
    const denied = await evaluate([{ call: "pay", input: {} }], request, { maxSteps: 1 });
    expect(denied.result).toMatchObject({ code: "run-failed", message });
  });
});
