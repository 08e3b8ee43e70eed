import assert from "node:assert/strict";
// #region program
import { createSkillset } from "skillset";
import { AgentSkillsSection, MarkdownSection, Prompt, PromptTemplate } from "skillset/prompt";

const skillsDir = new URL("./org", import.meta.url);
const session = await (await createSkillset(skillsDir)).session();
const org = new AgentSkillsSection({
  skillsDir,
  session, // records the skills that the agent reads as active
  allowedSkills: ["security-*", "csv-*"],
  deniedSkills: ["*-deprecated"],
  mountPath: "skills/org", // the folder's path for the agent
});
const project = new AgentSkillsSection({
  skillsDir: new URL("./project", import.meta.url),
  mountPath: "skills/project",
  title: "Project Skills",
  visibility: "summary", // only names until the model opens it
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

session.ledger.on("skill-activated", ({ skill, tokens }) => console.log(skill, tokens));
await org.recordRead("skills/org/security-audit/SKILL.md"); // a path that an agent has read
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
assert.deepEqual(session.active, ["security-audit"]);
