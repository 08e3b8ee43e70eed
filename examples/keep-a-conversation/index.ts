import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startScriptedModel } from "@skillset/testing";
import { createSkillset, defineSkill } from "skillset";
import { createChat } from "skillset/ai-sdk";

const folder = mkdtempSync(join(tmpdir(), "skillset-conversation-"));
process.chdir(folder);
const make = (name: string) =>
  defineSkill({ name, description: `Knows ${name}. Use for ${name}.`, body: `About ${name}.` });
const skills = await createSkillset([make("refunds"), make("salaries")]);
const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "refunds" } },
  { say: "Yes." },
  { say: "Within 30 days." },
]);
const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");

// #region program
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { SessionStore } from "skillset";

const load = (file: string) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);
const store: SessionStore = {
  load: async (id) => load(`${id}.json`), // which skills are active, as plain JSON
  save: async (id, state) => writeFileSync(`${id}.json`, JSON.stringify(state)),
};

async function answer(tenant: string, text: string) {
  const id = `${tenant}-chat-1`; // with the tenant, so that no tenant resumes the session of another
  const allowed = skills.filter({ enabled: ["refunds"] }); // the other skills do not exist for this tenant
  const request = { model, messages: load(`${id}-messages.json`) };
  const chat = await createChat({ skills: allowed, session: { id, store }, request });
  const result = await chat.send(text);
  writeFileSync(`${id}-messages.json`, JSON.stringify(chat.messages)); // the messages are yours to keep
  return result.text;
}
// #endregion

assert.equal(await answer("acme", "Can I return it?"), "Yes.");
assert.equal(await answer("acme", "For how long?"), "Within 30 days.");
assert.deepEqual(
  load("acme-chat-1.json").active.map(({ name }: { name: string }) => name),
  ["refunds"],
);
assert.equal(load("acme-chat-1-messages.json").length, 6);
assert.doesNotMatch(scripted.requests[0]?.system ?? "", /salaries/);
assert.deepEqual(scripted.faults, []);
await scripted.close();
rmSync(folder, { recursive: true });
