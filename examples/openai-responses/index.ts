import assert from "node:assert/strict";
import { startScriptedModel } from "@skillset/testing";

const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "tea" } },
  { say: "Steep it for three minutes." },
  { say: "You are welcome." },
]);
process.env.OPENAI_BASE_URL = `${scripted.url}/v1`;
process.env.OPENAI_API_KEY = "any";

// #region program
import { OpenAI } from "openai";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { createSkillset, defineSkill } from "skillset";
import { runResponses } from "skillset/openai";

const tea = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Steep for 3 minutes.",
});
const session = await (await createSkillset([tea])).session({ id: "chat-1" });
const client = new OpenAI();

const input: ResponseInputItem[] = [{ role: "user", content: "How do I make tea?" }];
const { text, added } = await runResponses({
  client,
  session,
  request: { model: "gpt-5.1", instructions: "You are a waiter.", input },
  onEvent: (event) => event.type === "response.output_text.delta" && process.stdout.write(event.delta),
});
input.push(...added); // the next turn starts from here
// #endregion

assert.equal(text, "Steep it for three minutes.");
input.push({ role: "user", content: "Thanks." });
const next = await runResponses({ client, session, request: { model: "gpt-5.1", input } });
assert.equal(next.text, "You are welcome.");
assert.deepEqual(scripted.faults, []);
assert.match(scripted.requests[1]?.toolResults[0]?.text ?? "", /Steep for 3 minutes/);
assert.match(scripted.requests[2]?.messages.at(-1)?.text ?? "", /activated_skill_names\): tea/);
await scripted.close();
