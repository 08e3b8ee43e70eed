import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startScriptedModel } from "@skillset/testing";

const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "tea" } },
  { call: "read_skill_file", input: { skill: "tea", path: "references/kinds.md" } },
  { say: "Steep it for three minutes at 70 °C." },
]);
const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");
process.chdir(fileURLToPath(new URL(".", import.meta.url)));

// #region program
import { createSkillset, defineSkill } from "skillset";
import { createChat } from "skillset/ai-sdk";

const tea = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Steep for 3 minutes. See references/kinds.md.",
  files: { "references/kinds.md": "Green: 70 °C." },
});
const skills = await createSkillset([tea, "./skills"]);
const chat = await createChat({ skills, request: { model, instructions: "You are a waiter." } });
const { text } = await chat.send("How do I make green tea?");
console.log(text);
// #endregion

assert.equal(text, "Steep it for three minutes at 70 °C.");
assert.match(scripted.requests[0]?.system ?? "", /^You are a waiter\.[\s\S]*<name>tea<[\s\S]*<name>coffee</);
const results = scripted.requests[2]?.toolResults.map((result) => result.text) ?? [];
assert.match(results[0] ?? "", /Steep for 3 minutes/);
assert.match(results[1] ?? "", /Green: 70 °C/);
assert.deepEqual(scripted.faults, []);
await scripted.close();
