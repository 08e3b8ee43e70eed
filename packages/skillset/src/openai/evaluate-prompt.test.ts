import { OpenAI } from "openai";
import { expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { type ScriptStep, startScriptedModel } from "../../../testing/src/index.ts";
import { createSkillset, usageOf } from "../index.ts";
import {
  AgentSkillsSection,
  defineTool,
  MarkdownSection,
  Prompt,
  PromptTemplate,
  type Section,
} from "../prompt/index.ts";
import { evaluatePrompt } from "./index.ts";

const TASK = new MarkdownSection({ title: "Task", key: "task", template: "Make tea." });
const FILES = { "tea/SKILL.md": skillMd("tea", "Makes tea.", "Steep it for three minutes.\n") };

/** An endpoint with the Chat Completions API, and a client for it. */
async function endpoint(...script: readonly ScriptStep[]) {
  const model = await startScriptedModel(script, { isSide: () => false });
  onTestFinished(() => model.close());
  return { model, client: new OpenAI({ apiKey: "any", baseURL: `${model.url}/v1`, maxRetries: 0 }) };
}
const promptOf = (...sections: readonly Section[]) => new Prompt(new PromptTemplate({ ns: "n", key: "k", sections }));
const request = { model: "any" };

test("with mode inject, an OpenAI-compatible endpoint gets the instructions in its first request, and no tools", async () => {
  const { client, model } = await endpoint({ say: "Steeped." });
  const skills = new AgentSkillsSection({ skillsDir: temporaryFolder(FILES) });
  const { text } = await evaluatePrompt({ client, prompt: promptOf(TASK, skills), request, mode: "inject" });
  expect(text).toBe("Steeped.");
  const [first] = model.requests;
  expect(first).toMatchObject({ wire: "openai-chat", tools: [] });
  expect(first?.body).not.toHaveProperty("tools");
  expect(first?.messages[0]?.text).toContain("### tea\n\nSteep it for three minutes.");
});

test("by default the model loads listed skills with tools, and an undefined mode is the default", async () => {
  const { client, model } = await endpoint({ call: "activate_skill", input: { name: "tea" } }, { say: "Steeped." });
  const session = await (await createSkillset([])).session();
  const skills = new AgentSkillsSection({ skillsDir: temporaryFolder(FILES) });
  await evaluatePrompt({ client, prompt: promptOf(TASK, skills), request, session, mode: undefined as never });
  expect(model.requests[1]?.toolResults[0]?.text).toContain("Steep it for three minutes.");
  expect(usageOf(session.ledger.entries)).toMatchObject([{ skill: "tea", activated: 1, tokens: expect.any(Number) }]);
  expect(model.faults).toEqual([]);
});

test("the messages of the request precede the prompt, and its other fields are sent unchanged", async () => {
  const { client, model } = await endpoint({ say: "Oui." });
  const messages = [{ role: "system" as const, content: "Answer in French." }];
  await evaluatePrompt({ client, prompt: promptOf(TASK), request: { ...request, temperature: 0.5, messages } });
  expect(model.requests[0]).toMatchObject({ system: "Answer in French.", body: { temperature: 0.5 } });
  expect(messages).toHaveLength(1);
});

test("after an abort in a tool, no further request is sent", async () => {
  const abort = new AbortController();
  const stop = defineTool({ name: "stop", description: "Stops.", handler: () => abort.abort(new Error("Enough.")) });
  const section = new MarkdownSection({ title: "Stop", key: "stop", template: "Stop.", tools: [stop] });
  const { client, model } = await endpoint({ call: "stop", input: {} }, { say: "Done." });
  const evaluated = evaluatePrompt({ client, prompt: promptOf(section), request, signal: abort.signal });
  await expect(evaluated).rejects.toThrow("Enough.");
  expect(model.requests).toHaveLength(1);
});

test("a failure of the endpoint is a SkillError with the SDK's error as its cause", async () => {
  const { client } = await endpoint({ fail: { status: 400, message: "No such model" } });
  await expect(evaluatePrompt({ client, prompt: promptOf(TASK), request })).rejects.toMatchObject({
    code: "run-failed",
    message: expect.stringContaining("No such model"),
    cause: { status: 400 },
  });
});

test("a call without a prompt is refused with the names of what is missing", async () => {
  const { client } = await endpoint();
  await expect(evaluatePrompt({ client, request } as never)).rejects.toMatchObject({ code: "option-invalid" });
});
