import assert from "node:assert/strict";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startScriptedModel } from "@skillset/testing";

process.chdir(import.meta.dirname);
const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "word-count" } },
  { call: "run_skill_script", input: { skill: "word-count", script: "scripts/count.sh", args: ["Tea is ready."] } },
  { say: "The text has 3 words." },
]);
const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");

// #region program
import { createSkillset } from "skillset";
import { createChat } from "skillset/ai-sdk";

const reviewed = new Set<string>(); // digests of the skills that somebody reviewed; keep them in your repository
for (const skill of (await createSkillset(["./skills"])).skills) reviewed.add(await skill.digest());

const skills = await createSkillset(["./skills"], {
  scripts: {
    limits: { time: 10_000 },
    consent: ({ digest }) => (reviewed.has(digest) ? "always" : { deny: "This version was not reviewed." }),
    onOutput: ({ stream, text }) => process[stream].write(text), // while the script runs
  },
});
const chat = await createChat({ skills, request: { model } });

console.log((await chat.send("How many words has 'Tea is ready.'?")).text);
console.log(await chat.session.scripts.outputs.list()); // the files that scripts wrote in this conversation
// #endregion

assert.deepEqual(scripted.faults, []);
assert.match(scripted.requests[2]?.toolResults.at(-1)?.text ?? "", /"words": *3/);
assert.deepEqual(
  (await chat.session.scripts.outputs.list()).map(({ path }) => path),
  ["text.txt"],
);
await scripted.close();
