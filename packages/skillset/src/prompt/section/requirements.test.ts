import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import type { Problem } from "../../core/base/problem.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { Prompt } from "../prompt.ts";
import { PromptTemplate } from "../prompt-template.ts";
import { AgentSkillsSection } from "./agent-skills-section.ts";
import { MarkdownSection } from "./markdown-section.ts";
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
const promptOf = (...sections: readonly Section[]) =>
  new Prompt(new PromptTemplate({ ns: "test", key: "prompt", sections }));
const refsIn = (folder: string, ...names: readonly string[]) =>
  names.map((name) => new SkillRef({ path: join(folder, name) }));

const listing = (skills: Readonly<Record<string, string>>, key = "listed") =>
  new AgentSkillsSection({ skillsDir: folderOf(skills), key });
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

describe("in a prompt with several sections", () => {
  const inCode = new SkillSection({ name: "tea", description: "Makes tea.", title: "Tea", template: "Steep it." });
  const kitchen = (child: Section) =>
    new MarkdownSection({ title: "Kitchen", key: "kitchen", template: "Wash your hands.", children: [child] });
  const REQUIRES = { biscuits: TEA, cake: "metadata:\n  requires: tea\n" };
  const missing = "'biscuits' is unavailable: it requires the skill 'tea', which is missing.";

  test.each([
    ["another folder", () => listing({ tea: "" }, "org")],
    ["a folder that is nested", () => kitchen(listing({ tea: "" }, "org"))],
    ["a SkillRef", () => referring({ tea: "" })],
    ["a skill in code", () => new SkillsSection({ skills: [inCode] })],
    ["a SkillSection by itself", () => kitchen(inCode)],
  ])("a skill in a folder finds one that it requires in %s", (_, other) => {
    const section = listing(REQUIRES);
    expect(section.problems).toMatchObject([{ skill: "biscuits" }, { skill: "cake" }]);
    const prompt = promptOf(section, other());
    expect(section.problems).toEqual([]);
    expect(section.mounts.map(({ name }) => name)).toEqual(["biscuits", "cake"]);
    prompt.start({ onWarning: (message) => expect.fail(message) });
    expect(prompt.render().text).toContain("biscuits");
  });

  test("a SkillRef finds one that it requires in a folder, and is installed", async () => {
    const section = referring(REQUIRES);
    expect(section.current).toEqual([]);
    const prompt = promptOf(listing({ tea: "" }), section);
    expect(section.problems).toEqual([]);
    const { names } = await prompt.installAllSkills({ skillsDir: join(folderOf({ other: "" }), "installed") });
    expect(names).toEqual(["biscuits", "cake"]);
  });

  test("a skill finds one that is installed for the agent", () => {
    const section = listing({ biscuits: TEA });
    const prompt = promptOf(section);
    expect(prompt.render().text).not.toContain("biscuits");
    expect(prompt.render({ installed: ["tea"] }).text).toContain("biscuits");
    expect(section.problems).toEqual([]);
  });

  test("a skill that no section has hides those that require it, with the reason", () => {
    const warnings: string[] = [];
    const section = listing({ biscuits: TEA, plain: "" });
    const prompt = promptOf(section, listing({ party: "metadata:\n  requires-skills: biscuits\n", other: "" }, "org"));
    const run = prompt.start({ onWarning: (message) => warnings.push(message) });
    expect(run.text).not.toMatch(/biscuits|party/);
    expect(section.problems).toMatchObject([{ message: missing, fix: "Add the skill 'tea'." }]);
    expect(warnings).toEqual([
      expect.stringContaining(missing),
      expect.stringContaining("'party' is unavailable: it requires the skill 'biscuits', which is unavailable."),
    ]);
  });

  test("a cycle is named as createSkillset names it", async () => {
    const [one, other] = [
      { biscuits: TEA, plain: "" },
      { tea: "metadata:\n  requires-skills: biscuits\n", other: "" },
    ];
    const sections = [listing(one), listing(other, "org")];
    promptOf(...sections);
    const { problems } = await createSkillset([folderOf(one), folderOf(other)], { onProblem: () => {} });
    const messagesOf = (found: readonly Problem[]) => found.map(({ message, fix }) => ({ message, fix }));
    expect(messagesOf(sections.flatMap((section) => section.problems))).toEqual(messagesOf(problems));
    expect(problems[0]?.message).toContain("biscuits → tea → biscuits");
  });

  test("a skill whose package is missing hides those of other sections once it is looked up", async () => {
    const section = listing({ biscuits: TEA, plain: "" });
    const prompt = promptOf(section, referring({ tea: PACKAGE }));
    expect(prompt.render().text).toContain("biscuits");
    await prompt.checkRequirements();
    expect(prompt.render().text).not.toContain("biscuits");
    expect(section.problems).toMatchObject([{ skill: "biscuits" }]);
  });

  test("a disabled reference is missing until it is enabled", () => {
    let isEnabled = false;
    const ref = new SkillRef({ path: join(folderOf({ tea: "" }), "tea"), enabled: () => isEnabled });
    const prompt = promptOf(listing({ biscuits: TEA }), new SkillsSection({ skillRefs: [ref] }));
    expect(prompt.render().text).not.toContain("biscuits");
    isEnabled = true;
    expect(prompt.render().text).toContain("biscuits");
  });

  test("`requirements: false` of the other section satisfies, and is not hidden", () => {
    const org = new AgentSkillsSection({ skillsDir: folderOf({ tea: COMMAND }), requirements: false, key: "org" });
    const section = listing({ biscuits: TEA });
    promptOf(section, org);
    expect([...section.skills, ...org.skills].map(({ name }) => name)).toEqual(["biscuits", "tea"]);
  });

  test("bound prompts and cloned sections find the same skills", () => {
    const section = listing({ biscuits: TEA });
    const org = listing({ tea: "" }, "org");
    expect(promptOf(section, org).bind({}).render().text).toContain("biscuits");
    const clone = section.clone();
    expect(clone.skills).toEqual([]);
    expect(promptOf(clone, org.clone()).render().text).toContain("biscuits");
  });

  test("a section of two prompts is checked for the one that uses it", async () => {
    const section = referring({ biscuits: TEA });
    const [alone, together] = [promptOf(section), promptOf(section, listing({ tea: "" }))];
    const rendered = together.render();
    for (let turn = 0; turn < 2; turn++) {
      expect(alone.render().text).not.toContain("biscuits");
      expect(rendered.reopen(["skills.biscuits"]).text).toContain("Do it.");
      expect(() => alone.render({ open: ["skills.biscuits"] })).toThrow("no section 'skills.biscuits'");
      expect(together.render({ open: ["skills.biscuits"] }).text).toContain("Do it.");
    }
    const installed = (prompt: Prompt) =>
      prompt.installAllSkills({ skillsDir: join(folderOf({ other: "" }), "installed") });
    expect((await installed(alone)).names).toEqual([]);
    expect((await installed(together)).names).toEqual(["biscuits"]);
  });

  test("a section that is rendered without a prompt looks only in itself", () => {
    expect(listing({ biscuits: TEA, plain: "" }).renderBody({})).not.toContain("biscuits");
    expect(listing({ biscuits: TEA, tea: "" }).renderBody({})).toContain("biscuits");
  });
});
