import assert from "node:assert/strict";
import { startScriptedModel } from "@skillset/testing";

const scripted = await startScriptedModel([{ say: "Green tea: three minutes." }], { isSide: () => false });
process.env.MODEL_URL = `${scripted.url}/v1`;

// #region program
import { OpenAI } from "openai";
import { createSkillset, defineSkill } from "skillset";
import { runChat } from "skillset/openai";

const tea = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Steep for 3 minutes.",
});
const manners = defineSkill({ name: "manners", description: "How to talk to guests.", body: "Be brief." });
const session = await (await createSkillset([tea, manners])).session();
const client = new OpenAI({ baseURL: process.env.MODEL_URL, apiKey: "none" }); // vLLM, Ollama, a gateway

const { text } = await runChat({
  client,
  session,
  request: { model: "small-model-without-tools", messages: [{ role: "user", content: "/tea green" }] },
  mode: "inject", // instructions in the prompt, no functions
  inject: ["manners"], // always; a skill that the message invokes is added for this one request
});
// #endregion

assert.equal(text, "Green tea: three minutes.");
assert.deepEqual(scripted.faults, []);
const [request] = scripted.requests;
assert.match(request?.system ?? "", /Be brief\.[\s\S]*Steep for 3 minutes\./);
assert.deepEqual(request?.messages, [{ role: "user", text: "green" }]);
assert.deepEqual(request?.tools, []);
assert.deepEqual(session.active, []);
await scripted.close();
