import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, hasToolCall, jsonSchema, streamText, type ToolSet } from "ai";
import { expect, onTestFinished, test } from "vitest";
import { type ScriptStep, startScriptedModel } from "../../../testing/src/index.ts";
import { createSkillset, defineSkill } from "../index.ts";
import { endedEarly, type WithSkillsOptions, type WithSkillsRequest, withSkills } from "./index.ts";

const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep it." });
const ACTIVATE: ScriptStep = { call: "activate_skill", input: { name: "tea" } };

type Options = Partial<Pick<WithSkillsOptions<ToolSet>, "maxSteps"> & WithSkillsRequest<ToolSet>>;

async function open(script: readonly ScriptStep[], { maxSteps, ...own }: Options = {}) {
  const scripted = await startScriptedModel(script);
  onTestFinished(() => scripted.close());
  const session = await (await createSkillset([tea])).session();
  const messages = [{ role: "user" as const, content: "Hi." }];
  const { invoked: _, ...request } = await withSkills<ToolSet>({
    session,
    request: { messages, ...own },
    ...(maxSteps !== undefined && { maxSteps }),
  });
  const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");
  return { scripted, settings: { model, ...request } };
}

test("a run that 'maxSteps' ends has ended early, streamed or not", async () => {
  const script = [ACTIVATE, ACTIVATE, ACTIVATE, { say: "Here." }];
  const first = await open(script, { maxSteps: 2 });
  const { steps } = await generateText(first.settings);
  expect([steps.length, endedEarly(steps)]).toEqual([2, true]);
  expect(first.scripted.requests).toHaveLength(2);
  const second = await open(script, { maxSteps: 2 });
  expect(endedEarly(await streamText(second.settings).steps)).toBe(true);
});

test("a run that the model ends has not ended early, even in its last step", async () => {
  const { settings } = await open([ACTIVATE, { say: "Here." }], { maxSteps: 2 });
  const { steps, text } = await generateText(settings);
  expect([text, endedEarly(steps)]).toEqual(["Here.", false]);
  expect(endedEarly([])).toBe(false);
});

test("the limit is 20 steps unless 'maxSteps' or 'stopWhen' is set", async () => {
  const script = [...Array.from({ length: 22 }, () => ACTIVATE), { say: "Here." }];
  const limited = await generateText((await open(script)).settings);
  expect([limited.steps.length, endedEarly(limited.steps)]).toEqual([20, true]);
  const own = await generateText((await open(script, { stopWhen: [] })).settings);
  expect([own.steps.length, own.text]).toEqual([23, "Here."]);
});

test("with 'maxSteps' and 'stopWhen' the run ends at whichever is met first", async () => {
  const script = [ACTIVATE, ACTIVATE, ACTIVATE, { say: "Here." }];
  const byCondition = { stopWhen: hasToolCall("activate_skill"), maxSteps: 3 };
  expect((await generateText((await open(script, byCondition)).settings)).steps).toHaveLength(1);
  const byLimit = { stopWhen: hasToolCall("none"), maxSteps: 2.5 };
  expect((await generateText((await open(script, byLimit)).settings)).steps).toHaveLength(3);
});

test("a run that waits for the host to answer a call has not ended early", async () => {
  const ask = { description: "Asks.", inputSchema: jsonSchema({ type: "object" }) };
  const { settings } = await open([{ call: "ask", input: {} }], { tools: { ask } });
  const { steps } = await generateText(settings);
  expect(endedEarly(steps)).toBe(false);
});

test.each([0, -1, Number.NaN])("'maxSteps' cannot be %s", async (maxSteps) => {
  await expect(open([], { maxSteps })).rejects.toMatchObject({ code: "option-invalid" });
});
