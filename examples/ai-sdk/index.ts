import assert from "node:assert/strict";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startScriptedModel } from "@skillset/testing";

const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "tea" } },
  { say: "Steep it for three minutes." },
]);
const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");

// #region program
import { type ModelMessage, streamText } from "ai";
import { createSkillset, defineSkill } from "skillset";
import { withSkills } from "skillset/ai-sdk";

const tea = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Steep for 3 minutes.",
});
const session = await (await createSkillset([tea])).session({ id: "chat-1" });
const messages: ModelMessage[] = [{ role: "user", content: "How do I make tea?" }];

const request = await withSkills({ session, request: { instructions: "You are a waiter.", messages } });
const result = streamText({ model, ...request }); // any AI SDK model
for await (const text of result.textStream) process.stdout.write(text);
messages.push(...(await result.responseMessages)); // the next turn starts from here
// #endregion

assert.equal(await result.text, "Steep it for three minutes.");
assert.deepEqual(
  messages.map(({ role }) => role),
  ["user", "assistant", "tool", "assistant"],
);
assert.deepEqual(scripted.faults, []);
assert.match(scripted.requests[0]?.system ?? "", /^You are a waiter\.[\s\S]*Makes tea/);
assert.match(scripted.requests[1]?.toolResults[0]?.text ?? "", /Steep for 3 minutes/);
await scripted.close();
