import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { Prompt } from "../prompt.ts";
import { PromptTemplate } from "../prompt-template.ts";
import { AgentSkillsSection } from "./agent-skills-section.ts";
import type { Section } from "./section.ts";
import { SkillRef } from "./skill-ref.ts";
import { SkillSection } from "./skill-section.ts";
import { SkillsSection } from "./skills-section.ts";

const COMMAND = "metadata:\n  requires: no-such-command-xyz\n";
const SYSTEM = `metadata:\n  os: ${process.platform === "win32" ? "linux" : "windows"}\n`;
const PYTHON = 'metadata:\n  python: ">=99"\n';
const PACKAGE = "metadata:\n  packages: npm:no-such-package-xyz\n";
const TEA = "metadata:\n  requires-skills: tea\n";

/** A folder with one skill for each name, with these fields. */
const folderOf = (skills: Readonly<Record<string, string>>) =>
  temporaryFolder(
    Object.fromEntries(
      Object.entries(skills).map(([name, fields]) => [
        `${name}/SKILL.md`,
        skillMd(name, "Does it.", "Do it.\n", fields),
      ]),
    ),
  );
const promptOf = (section: Section) =>
  new Prompt(new PromptTemplate({ ns: "test", key: "prompt", sections: [section] }));
const refsIn = (folder: string, ...names: readonly string[]) =>
  names.map((name) => new SkillRef({ path: join(folder, name) }));

const listing = (skills: Readonly<Record<string, string>>) => new AgentSkillsSection({ skillsDir: folderOf(skills) });
const referring = (skills: Readonly<Record<string, string>>) =>
  new SkillsSection({ skillRefs: refsIn(folderOf(skills), ...Object.keys(skills)) });

describe.each([
  { section: "AgentSkillsSection", of: listing },
  { section: "SkillsSection", of: referring },
])("in a $section", ({ of }) => {
  test.each([
    [COMMAND, "the command 'no-such-command-xyz' is not on PATH"],
    [SYSTEM, "and this is"],
    [TEA, "it requires the skill 'tea', which is missing"],
  ])("a skill whose requirements are not met is left out, and is a problem (%j)", (fields, reason) => {
    const section = of({ needy: fields, plain: "" });
    expect(section.problems).toMatchObject([{ code: "requirement-unmet", skill: "needy", severity: "warning" }]);
    expect(section.problems[0]?.message).toContain(`'needy' is unavailable: `);
    expect(section.problems[0]?.message).toContain(reason);
    const { text } = promptOf(section).render();
    expect(text).toContain("plain");
    expect(text).not.toContain("needy");
  });

  test.each([PYTHON, PACKAGE])("Python and packages are looked up before an evaluation (%j)", async (fields) => {
    const section = of({ needy: fields });
    const prompt = promptOf(section);
    expect(section.problems).toEqual([]);
    await prompt.checkRequirements();
    expect(section.problems).toMatchObject([{ code: "requirement-unmet", skill: "needy" }]);
    expect(prompt.render().text).not.toContain("needy");
  });

  test("a skill finds another one beside it, also where `requires` names it", () => {
    const section = of({ biscuits: TEA, cake: "metadata:\n  requires: tea\n", tea: "" });
    expect(section.problems).toEqual([]);
    expect(promptOf(section).render().text).toContain("biscuits");
  });

  test("whoever starts an evaluation is warned", () => {
    const warnings: string[] = [];
    promptOf(of({ needy: COMMAND })).start({ onWarning: (message) => warnings.push(message) });
    expect(warnings).toEqual([expect.stringContaining("'needy' is unavailable: the command")]);
  });
});

describe("with `requirements: false`", () => {
  test("a section lists all of its skills", () => {
    const section = new AgentSkillsSection({
      skillsDir: folderOf({ needy: COMMAND, biscuits: TEA }),
      requirements: false,
    });
    expect(section.problems).toEqual([]);
    expect(section.skills.map(({ name }) => name)).toEqual(["biscuits", "needy"]);
  });

  test("a reference is included", () => {
    const folder = folderOf({ needy: COMMAND, biscuits: TEA });
    const of = (name: string) => new SkillRef({ path: join(folder, name), requirements: false });
    const section = new SkillsSection({ skillRefs: [of("needy"), of("biscuits")] });
    expect(section.problems).toEqual([]);
    expect(section.current.map(({ key }) => key)).toEqual(["needy", "biscuits"]);
  });
});

test("a SkillRef has the requirements that are not met in `problems`, and is installed only once they are", async () => {
  const root = folderOf({ needy: COMMAND, slow: PACKAGE });
  const [needy, slow] = refsIn(root, "needy", "slow");
  expect(needy?.problems).toMatchObject([{ code: "requirement-unmet", skill: "needy" }]);
  const section = new SkillsSection({ skillRefs: [needy, slow].filter((ref) => ref !== undefined) });
  const { names } = await promptOf(section).installAllSkills({ skillsDir: join(root, "installed") });
  expect(names).toEqual([]);
});

test("a SkillRef finds a skill in code that it requires", () => {
  const tea = new SkillSection({ name: "tea", description: "Makes tea.", title: "Tea", template: "Steep it." });
  const section = new SkillsSection({ skills: [tea, ...refsIn(folderOf({ biscuits: TEA }), "biscuits")] });
  expect(section.problems).toEqual([]);
  expect(section.current.map(({ key }) => key)).toEqual(["tea", "biscuits"]);
});

test("a skill that the filter leaves out is no problem", () => {
  const section = new AgentSkillsSection({ skillsDir: folderOf({ needy: COMMAND, tea: "" }), deniedSkills: ["needy"] });
  expect(section.problems).toEqual([]);
});
