import assert from "node:assert/strict";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startScriptedModel } from "@skillset/testing";

process.chdir(import.meta.dirname);
const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "brew-tea" } },
  { call: "read_skill_file", input: { skill: "brew-tea", path: "references/times.md" } },
  { say: "Brew green tea at 75 °C for 2 minutes." },
  { call: "activate_skill", input: { name: "units" } },
  { call: "fahrenheit", input: { celsius: 75 } },
  { say: "That is 167 °F." },
]);
const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");

// #region program
import { createSkillset, defineSkill } from "skillset";
import { createChat } from "skillset/ai-sdk";
import { z } from "zod";

const units = defineSkill({
  name: "units",
  description: "Converts temperatures. Use when somebody asks for Fahrenheit.",
  body: "Call `fahrenheit` with the temperature in Celsius.",
  tools: [
    {
      name: "fahrenheit",
      description: "Converts Celsius to Fahrenheit.",
      inputSchema: z.object({ celsius: z.number() }),
      handler: ({ celsius }) => (celsius * 9) / 5 + 32,
    },
  ],
});

const skills = await createSkillset(["./skills", units]);
const chat = await createChat({ skills, request: { model } });

console.log((await chat.send("How do I brew green tea?")).text);
console.log((await chat.send("And in Fahrenheit?")).text);
// #endregion

// #region script
const withScripts = await createSkillset(["./skills"], {
  scripts: {
    consent: ({ script, level }) => {
      console.log(`${script} runs in ${level}`);
      return "once";
    },
  },
});
const session = await withScripts.session();
const result = await session.scripts.run("brew-tea", "scripts/time.sh", { args: ["green"] });
if (result.outcome === "exited") console.log(result.stdout); // | green | 75 °C | 2 minutes |
// #endregion

assert.partialDeepStrictEqual(result, { outcome: "exited", stdout: "| green | 75 °C | 2 minutes |\n" });
assert.deepEqual(scripted.faults, []);
assert.deepEqual(chat.session.active, ["brew-tea", "units"]);
assert.match(scripted.requests[2]?.toolResults.at(-1)?.text ?? "", /75 °C/);
assert.match(scripted.requests[5]?.toolResults.at(-1)?.text ?? "", /167/);
await scripted.close();
