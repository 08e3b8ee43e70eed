import assert from "node:assert/strict";
// #region program
import { createSkillset, defineSkill } from "skillset";

const months = Array.from({ length: 300 }, (_, index) =>
  defineSkill({
    name: `report-${index + 1}`,
    description: `Explains the figures of month ${index + 1}.`,
    body: "Read the table first.",
  }),
);
const tea = defineSkill({ name: "tea", description: "Brews green tea. Use when asked for tea.", body: "Steep it." });
const skills = await createSkillset([...months, tea]);

const session = await skills.session();
const turn = await session.turn([{ role: "user", text: "I am thirsty." }], { catalog: { budget: { tokens: 500 } } });
console.log(turn.catalog.omitted.length); // most skills, 'tea' among them

const search = turn.tools.find(({ id }) => id === "search_skills");
const found = await search?.execute({ query: "green tea" });
console.log(found?.text); // - **tea**: Brews green tea. Use when asked for tea. (matches: green, tea)

const ranked = await skills.rank("green tea", { limit: 5 }); // the same search in code
for (const { skill, fit, matched } of ranked) console.log(skill.name, fit, matched.join(", "));
// #endregion
assert.ok(turn.catalog.omitted.includes("tea"));
assert.match(turn.instructions, /call `search_skills` with the task in words/);
assert.equal(found?.text, "- **tea**: Brews green tea. Use when asked for tea. (matches: green, tea)");
assert.equal(ranked[0]?.skill, tea);
assert.equal((await search?.execute({ query: "chromodynamics" }))?.text.split(".")[0], "No skill fits");
