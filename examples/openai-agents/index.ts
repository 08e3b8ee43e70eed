import assert from "node:assert/strict";
import { setTracingDisabled } from "@openai/agents";
import { startScriptedModel } from "@skillset/testing";

const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "tea" } },
  { say: "Steep it for three minutes." },
  { say: "You are welcome." },
]);
process.env.OPENAI_BASE_URL = `${scripted.url}/v1`;
process.env.OPENAI_API_KEY = "any";
setTracingDisabled(true);

// #region program
import { Agent, run } from "@openai/agents";
import { createSkillset, defineSkill } from "skillset";
import { withSkills } from "skillset/openai-agents";

const tea = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Steep for 3 minutes.",
});
const session = await (await createSkillset([tea])).session({ id: "chat-1" });

const turn = await withSkills({
  session,
  request: { instructions: "You are a waiter.", input: "How do I make tea?" },
});
const agent = new Agent({ name: "Waiter", instructions: turn.instructions, tools: turn.tools });
const { finalOutput, history } = await run(agent, turn.input, { callModelInputFilter: turn.callModelInputFilter });
// the next turn: withSkills({ session, request: { input: [...history, { role: "user", content: "Thanks." }], ... } })
// #endregion

assert.equal(finalOutput, "Steep it for three minutes.");
const next = await withSkills({ session, request: { input: [...history, { role: "user", content: "Thanks." }] } });
const { callModelInputFilter } = next;
const second = await run(new Agent({ name: "Waiter", ...next }), next.input, { callModelInputFilter });
assert.equal(second.finalOutput, "You are welcome.");
assert.deepEqual(scripted.faults, []);
assert.match(scripted.requests[1]?.toolResults[0]?.text ?? "", /Steep for 3 minutes/);
assert.match(scripted.requests[2]?.messages.at(-1)?.text ?? "", /activated_skill_names\): tea/);
await scripted.close();
