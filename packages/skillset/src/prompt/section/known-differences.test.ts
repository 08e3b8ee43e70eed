import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { connectAgent } from "../../acp/index.ts";
import { startScriptedAgent } from "../../testing/index.ts";
import { Prompt } from "../prompt.ts";
import { PromptTemplate } from "../prompt-template.ts";
import { AgentSkillsSection } from "./agent-skills-section.ts";
import { MarkdownSection } from "./markdown-section.ts";
import type { Section } from "./section.ts";
import { SkillRef } from "./skill-ref.ts";
import { SkillsSection } from "./skills-section.ts";

// What sections do not do yet, although skills in a skillset do. Each test is expected to fail, and the run fails when one
// passes: then remove `fails`.

const TASK = new MarkdownSection({ title: "Task", key: "task", template: "Make tea." });
const promptOf = (section: Section) =>
  new Prompt(new PromptTemplate({ ns: "test", key: "tea", sections: [TASK, section] }));
const tea = (fields = "", files: Readonly<Record<string, string>> = {}) =>
  temporaryFolder({ "skills/tea/SKILL.md": skillMd("tea", "Makes tea.", "Run scripts/steep.sh.\n", fields), ...files });
const listed = (folder: string) => new AgentSkillsSection({ skillsDir: join(folder, "skills") });
const referenced = (folder: string) =>
  new SkillsSection({ skillRefs: [new SkillRef({ path: join(folder, "skills/tea") })] });

describe("a skill whose requirements are not met", () => {
  const needy = "metadata:\n  requires: no-such-command-xyz\n";

  test.fails.each([
    needy,
    `metadata:\n  os: ${process.platform === "win32" ? "linux" : "windows"}\n`,
    "metadata:\n  requires-skills: absent-one\n",
  ])("is a problem of the section that lists it, and is not in the catalog (%j)", (fields) => {
    const section = listed(tea(fields));
    expect(section.problems.map(({ code }) => code)).toContain("requirement-unmet");
    expect(promptOf(section).render().text).not.toContain("<name>tea</name>");
  });

  test.fails("is a problem of the SkillRef that installs it", () => {
    const ref = new SkillRef({ path: join(tea(needy), "skills/tea") });
    expect(ref).toHaveProperty("problems.0.code", "requirement-unmet");
  });
});

describe("SkillRef({ name })", () => {
  test.fails("installs a folder under another name than its own", async () => {
    const ref = new SkillRef({ path: join(tea(), "skills/tea"), name: "green-tea" });
    expect(ref.name).toBe("green-tea");
  });

  test.fails("does not ask to rename the folder of a single file", () => {
    const folder = temporaryFolder({ "odd.md": skillMd("real") });
    expect(() => new SkillRef({ path: join(folder, "odd.md") })).toThrow(/^(?!.*[Ff]older).*file/);
  });
});

const LONG = "x".repeat(501);

test.fails.each(["license: [1]\n", `compatibility: ${LONG}\n`, "metadata: 5\n", "allowed-tools: 123\n"])(
  "a SkillRef reports a wrong optional field in `problems` (%j)",
  (fields) => {
    const ref = new SkillRef({ path: join(tea(fields), "skills/tea") });
    const [field = ""] = fields.split(":");
    expect(ref).toHaveProperty("problems.0.message", expect.stringContaining(field));
  },
);
