import assert from "node:assert/strict";

// #region model
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startScriptedModel } from "skillset/testing";

const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "greeting" } },
  { say: "Hello, Ann!" },
  { say: "See you tomorrow, Ann!" },
]);
const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");

// #endregion

// #region program
import { createSkillset, defineSkill, standardFolders } from "skillset";
import { createChat } from "skillset/ai-sdk";

const greeting = defineSkill({
  name: "greeting",
  description: "Greets people. Use when somebody says hello or goodbye.",
  body: "Answer in one line, and use the person's name.",
});
const skills = await createSkillset([greeting, ...standardFolders()]); // in code, in this project and in your home
const chat = await createChat(skills, { model }); // any model of the AI SDK

console.log((await chat.send("Say hello to Ann.")).text);
console.log((await chat.send("Now say goodbye.")).text);
// #endregion

assert.deepEqual(scripted.faults, []);
assert.match(scripted.requests[0]?.system ?? "", /greeting[\s\S]*Greets people/);
assert.match(scripted.requests[1]?.toolResults[0]?.text ?? "", /use the person's name/);
await scripted.close();
