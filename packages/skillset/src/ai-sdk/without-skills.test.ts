import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, type ModelMessage } from "ai";
import { expect, onTestFinished, test } from "vitest";
import { startScriptedModel } from "../../../testing/src/index.ts";
import { withoutSkills } from "./index.ts";

async function send(messages: ModelMessage[], compact?: { readonly tokens: number }) {
  const scripted = await startScriptedModel([{ say: "Hi." }]);
  onTestFinished(() => scripted.close());
  const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");
  const request = { instructions: "You are a bank.", messages };
  await generateText({ model, ...(await withoutSkills({ request, ...(compact && { compact }) })) });
  return scripted.requests[0];
}

test("a request without skills has the messages as they are, and no functions", async () => {
  const request = await send([{ role: "user", content: '/tea <skill_content name="tea">Steep it.</skill_content>' }]);
  expect(request).toMatchObject({ system: "You are a bank.", tools: [] });
  expect(JSON.stringify(request)).toContain("Steep it.");
});

test("a request without skills is shortened to its limit", async () => {
  const user = (content: string): ModelMessage => ({ role: "user", content });
  const old = user("old ".repeat(400));
  const request = await send([old, { role: "assistant", content: "Yes." }, user("new")], { tokens: 100 });
  expect(JSON.stringify(request)).not.toContain("old old");
  expect(JSON.stringify(request)).toContain("new");
});

test("the result of a skill that an earlier run had is replaced", async () => {
  const call = { toolCallId: "1", toolName: "activate_skill" };
  const output = { type: "text" as const, value: '<skill_content name="tea">\nSteep it.\n</skill_content>' };
  const request = await send([
    { role: "user", content: "Tea?" },
    { role: "assistant", content: [{ type: "tool-call", ...call, input: { name: "tea" } }] },
    { role: "tool", content: [{ type: "tool-result", ...call, output }] },
    { role: "user", content: "And now?" },
  ]);
  expect(JSON.stringify(request)).toContain("The skill 'tea' is no longer available.");
  expect(JSON.stringify(request)).not.toContain("Steep it.");
});
