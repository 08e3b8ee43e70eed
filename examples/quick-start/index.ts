import assert from "node:assert/strict";
// #region program
import { createSkillset, defineSkill, standardFolders } from "skillset";

const greeting = defineSkill({
  name: "greeting",
  description: "Greets people. Use when somebody says hello.",
  body: "# Greeting\nSay hello, and use the person's name.",
});
const skills = await createSkillset([greeting, ...standardFolders()]); // from code, this project and the home

console.log(skills.catalog().text); // what a model is shown: names and descriptions
console.log(skills.problems); // what was wrong, where, and how to mend it
const [best] = await skills.rank("say hello to Ann"); // which skill fits a request
console.log(await best?.skill.instructions()); // what a model gets when it activates the skill
// #endregion
assert.match(skills.catalog().text, /<name>greeting<\/name>/);
assert.equal(best?.skill.name, "greeting");
assert.match(await best.skill.instructions(), /use the person's name/);
