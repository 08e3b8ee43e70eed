import assert from "node:assert/strict";
// #region program
import { createSkillset, defineSkill, standardFolders } from "skillset";

const greeting = defineSkill({
  name: "greeting",
  description: "Greets people. Use when somebody says hello.",
  body: "# Greeting\nSay hello, and use the person's name.",
});
const skills = await createSkillset([greeting, ...standardFolders()]); // a skill in code, and the default folders

console.log(skills.catalog().text); // names and descriptions, for the model
console.log(skills.problems); // each problem, with its place and a fix
const [best] = await skills.rank("say hello to Ann"); // the best skill for a request
console.log(await best?.skill.instructions()); // the text that a model gets on activation
// #endregion
assert.match(skills.catalog().text, /<name>greeting<\/name>/);
assert.equal(best?.skill.name, "greeting");
assert.match(await best.skill.instructions(), /use the person's name/);
