import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const home = mkdtempSync(join(tmpdir(), "skillset-example-"));
process.on("exit", () => {
  execFileSync("chmod", ["-R", "u+w", home]); // installed skills are read-only
  rmSync(home, { recursive: true });
});

// #region program
import {
  defineTool,
  MarkdownSection,
  Prompt,
  PromptTemplate,
  SkillRef,
  SkillSection,
  SkillsSection,
} from "skillset/prompt";
import { z } from "zod";

const guide = (language: string) =>
  new SkillSection<{ language: string }>({
    name: `${language}-review`,
    description: `Review guidance for ${language}.`,
    title: `Review of ${language}`,
    template: "# Reviewing $language\n\nSecurity first, then tests, then style.",
    enabled: (params) => params.language === language,
  });
const runTests = defineTool({ name: "run_tests", description: "Run the tests", handler: () => "all green" });
const testing = new SkillSection({
  name: "testing",
  description: "Testing workflows.",
  title: "Testing",
  template: "Call `run_tests`.",
  tools: [runTests],
});
const skills = new SkillsSection({
  skills: [guide("python"), guide("typescript"), testing],
  skillRefs: [
    new SkillRef({ path: "skills/code-style", basePath: new URL(".", import.meta.url) }),
    new SkillRef({ path: "/opt/skills/compliance", enabled: () => process.env.ENABLE_COMPLIANCE === "1" }),
  ],
});
const task = new MarkdownSection({ title: "Task", key: "task", template: "Review the $language code." });
const params = z.object({ language: z.string() });
const prompt = new Prompt(new PromptTemplate({ ns: "review", key: "mixed", params, sections: [task, skills] })).bind({
  language: "python",
});

const skillsDir = join(home, ".claude/skills"); // where the agent looks for skills
const { names } = await prompt.installAllSkills({ skillsDir, onEvent: (event) => console.log(event) });
const { text, skills: states } = prompt.render({ installed: names });
console.log(states.map(({ name, state }) => `${name}: ${state}`)); // testing stays in the prompt, because it has a tool
console.log(text);
// #endregion
assert.deepEqual(names, ["python-review", "code-style"]);
assert.match(
  readFileSync(join(skillsDir, "python-review/SKILL.md"), "utf8"),
  /^---\nname: python-review\n.*# Reviewing python/s,
);
assert.ok(existsSync(join(skillsDir, "code-style/checklists/names.md")));
assert.deepEqual(
  states.map(({ name, state }) => [name, state]),
  [
    ["python-review", "installed"],
    ["testing", "summary"],
    ["code-style", "installed"],
  ],
);
assert.doesNotMatch(text, /code-style|python-review/);
assert.deepEqual(
  skills.nativeSkills.map(({ name }) => name),
  ["python-review", "typescript-review"],
);
assert.deepEqual(skills.promptSkills, [testing]);
assert.equal(prompt.render().summarised.length, 3); // without an installation, all skills are in the prompt
