import assert from "node:assert/strict";
// #region program
import { AgentSkillsSection, MarkdownSection, Prompt, PromptTemplate, SkillActivated } from "skillset/prompt";

const org = new AgentSkillsSection({
  skillsDir: new URL("./org", import.meta.url),
  allowedSkills: ["security-*", "csv-*"],
  deniedSkills: ["*-deprecated"],
  mountPath: "skills/org", // where the agent finds the folder
});
const project = new AgentSkillsSection({
  skillsDir: new URL("./project", import.meta.url),
  mountPath: "skills/project",
  title: "Project Skills",
  visibility: "summary", // only the names, until the model opens it
});
const template = new PromptTemplate({
  ns: "review",
  key: "security",
  sections: [
    new MarkdownSection({ title: "Task", key: "task", template: "Review repo/ for security issues." }),
    org,
    project,
  ],
});
console.log(new Prompt(template).render().text);

const read = "skills/org/security-audit/SKILL.md"; // what an agent was seen to read
const skill = org.skillAt(read);
if (skill !== undefined) console.log(new SkillActivated({ skillName: skill.name, skillPath: skill.path }));
// #endregion
assert.deepEqual(
  org.skills.map(({ name }) => name),
  ["csv-clean", "security-audit"],
);
const { text, summarised } = new Prompt(template).render();
assert.match(text, /<location>skills\/org\/security-audit<\/location>/);
assert.match(text, /1\. Read the skill's SKILL\.md file/);
assert.match(text, /## Project Skills\n\n- python-style\n/);
assert.deepEqual(summarised, ["agent-skills-project"]);
assert.equal(skill?.name, "security-audit");
