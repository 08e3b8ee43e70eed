import assert from "node:assert/strict";
import { startScriptedModel } from "@skillset/testing";

const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "tea" } },
  { say: "Steep it for three minutes." },
  { say: "You are welcome." },
]);
process.env.ANTHROPIC_BASE_URL = scripted.url;
process.env.ANTHROPIC_API_KEY = "any";

// #region program
import { Anthropic } from "@anthropic-ai/sdk";
import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import { createSkillset, defineSkill } from "skillset";
import { runMessages } from "skillset/anthropic";

const tea = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Steep for 3 minutes.",
});
const session = await (await createSkillset([tea])).session({ id: "chat-1" });
const client = new Anthropic();

const messages: MessageParam[] = [{ role: "user", content: "How do I make tea?" }];
const { text, added } = await runMessages({
  client,
  session,
  request: { model: "claude-sonnet-5-5", max_tokens: 4_096, system: "You are a waiter.", messages },
  onEvent: (event) => {
    if (event.type === "content_block_delta" && event.delta.type === "text_delta")
      process.stdout.write(event.delta.text);
  },
});
messages.push(...added); // the next turn starts from here
// #endregion

assert.equal(text, "Steep it for three minutes.");
messages.push({ role: "user", content: "Thanks." });
const next = await runMessages({
  client,
  session,
  request: { model: "claude-sonnet-5-5", max_tokens: 4_096, messages },
});
assert.equal(next.text, "You are welcome.");
assert.deepEqual(scripted.faults, []);
const [first, second, third] = scripted.requests;
assert.match(second?.toolResults[0]?.text ?? "", /Steep for 3 minutes/);
assert.match(third?.messages.at(-1)?.text ?? "", /activated_skill_names\): tea/);
// The catalog and the last message are marked for the prompt cache.
assert.equal(JSON.stringify(first?.body).split('"cache_control"').length - 1, 2);
await scripted.close();
