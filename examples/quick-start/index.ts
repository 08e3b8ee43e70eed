import assert from "node:assert/strict";

process.chdir(import.meta.dirname);

// #region model
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startScriptedModel } from "@skillset/testing";

const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "vat" } },
  { call: "vat__add_vat", input: { net: 100 } },
  { say: "With tax it is 119 euros." },
  { call: "activate_skill", input: { name: "refunds" } },
  { say: "Yes, for 30 days." },
]);
const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");

// #endregion

// #region program
import { createSkillset, defineSkill } from "skillset";
import { createChat } from "skillset/ai-sdk";
import { z } from "zod";

const vat = defineSkill({
  name: "vat",
  description: "Adds tax to prices. Use when somebody asks for a price with tax.",
  body: "Call `add_vat` with the price.",
  tools: [
    {
      name: "add_vat",
      description: "Adds 19 % VAT.",
      inputSchema: z.object({ net: z.number() }),
      handler: ({ net }) => ({ gross: net * 1.19 }),
    },
  ],
});
const skills = await createSkillset(["./skills", vat]); // folders with a SKILL.md, and skills in code
const chat = await createChat({ skills, request: { model } }); // any model of the AI SDK

console.log((await chat.send("What is 100 euros with tax?")).text);
console.log((await chat.send("Can I return it?")).text);
// #endregion

assert.deepEqual(scripted.faults, []);
assert.deepEqual(chat.session.active, ["vat", "refunds"]);
assert.match(scripted.requests[2]?.toolResults.at(-1)?.text ?? "", /119/);
assert.match(scripted.requests[4]?.toolResults.at(-1)?.text ?? "", /30 days/);
await scripted.close();
