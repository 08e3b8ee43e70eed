import assert from "node:assert/strict";

process.chdir(import.meta.dirname);

// #region program
import { createSkillset } from "skillset";

const skills = await createSkillset(["./skills"], {
  toolsets: "sandbox",
  scripts: {
    runner: "auto", // the strongest sandbox that works on this machine
    consent: ({ skill, toolset }) => (skill === "measure-text" && toolset ? "always" : "deny"),
  },
});
const session = await skills.session();

const { text } = await session.activate("measure-text"); // loads the module, after consent
console.log(text); // the instructions, then each tool with its input

const result = await session.call("measure-text", "measure", { text: "Skills are folders of instructions." });
console.log(result.value); // { words: 5, minutes: 1 }

const { tools } = await session.turn([{ role: "user", text: "How long is this text?" }]);
console.log(tools.map(({ name }) => name)); // activate_skill, read_skill_file, call_skill_tool and so on
// #endregion
assert.match(text, /### measure\nCounts the words of a text/);
assert.deepEqual(result.value, { words: 5, minutes: 1 });
assert.ok(tools.some(({ name }) => name === "call_skill_tool"));
await assert.rejects(session.call("measure-text", "measure", { text: 5 }), { code: "tool-input-invalid" });
assert.deepEqual(
  session.ledger.entries.flatMap((entry) => (entry.type === "tool-called" ? [entry.tool, entry.outcome] : [])),
  ["measure", "succeeded", "measure", "failed"],
);
