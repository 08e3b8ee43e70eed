import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startScriptedModel } from "@skillset/testing";

const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "tea" } },
  { say: "Steep it for four minutes." },
]);
const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");
process.chdir(fileURLToPath(new URL(".", import.meta.url)));

// #region program
import { createSkillset, MemorySessionStore } from "skillset";
import { createChat } from "skillset/ai-sdk";

const skills = await createSkillset(["./skills", "./project-skills"], { collisions: "last" });
const chat = await createChat({
  skills,
  request: { model, instructions: "You are a waiter." },
  session: { id: "chat-1", store: new MemorySessionStore() },
});
const { text } = await chat.send("How do I make tea?");
console.log(text);
// #endregion

assert.equal(text, "Steep it for four minutes.");
assert.match(scripted.requests[0]?.system ?? "", /^You are a waiter\.[\s\S]*Makes tea as in this project/);
assert.match(scripted.requests[1]?.toolResults[0]?.text ?? "", /Steep for 4 minutes/);
assert.deepEqual(chat.session.active, ["tea"]);
assert.deepEqual(scripted.faults, []);
await scripted.close();
