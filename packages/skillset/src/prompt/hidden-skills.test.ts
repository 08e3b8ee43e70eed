import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { removeTree } from "../node/copy/remove-tree.ts";
import {
  AgentSkillsSection,
  MarkdownSection,
  openSections,
  Prompt,
  PromptTemplate,
  type Section,
  type SectionVisibility,
  SkillRef,
  SkillSection,
  SkillsSection,
} from "./index.ts";

const tea = new SkillSection({ name: "tea", description: "Makes tea.", title: "Tea", template: "Steep it." });

/** A section `kitchen` around another one. */
function promptOf(child: Section, visibility: SectionVisibility = "summary") {
  const kitchen = new MarkdownSection({
    title: "Kitchen",
    key: "kitchen",
    summary: "How to work in the kitchen.",
    template: "Wash your hands.",
    visibility,
    children: [child],
  });
  return new Prompt(new PromptTemplate({ ns: "test", key: "kitchen", sections: [kitchen] }));
}

const OPEN = { section_keys: ["kitchen"], reason: "To cook." };
const coffeeFolder = () => temporaryFolder({ "coffee/SKILL.md": skillMd("coffee", "Makes coffee.", "Grind it.") });

function skillsFolder(): string {
  const skillsDir = join(temporaryFolder(), "skills");
  onTestFinished(() => removeTree(skillsDir));
  return skillsDir;
}

test("the skills of a SkillsSection inside a summarised section appear when the model opens it", () => {
  const first = promptOf(new SkillsSection({ skills: [tea] })).render();
  expect(first.text).not.toMatch(/tea/i);
  expect(first.skills).toEqual([]);
  expect(first.summarised).toEqual(["kitchen"]);
  expect(() => openSections(first, { ...OPEN, section_keys: ["kitchen.skills.tea"] })).toThrow("kitchen");
  const { text, rendered } = openSections(first, OPEN);
  expect(text).toContain("Makes tea.");
  expect(rendered.summarised).toEqual(["kitchen.skills.tea"]);
  expect(openSections(rendered, { ...OPEN, section_keys: ["kitchen.skills.tea"] }).text).toContain("Steep it.");
});

test.each(["files", "tools", "inject"] as const)(
  "with mode %s, the catalog of an AgentSkillsSection inside a summarised section appears when the model opens it",
  (mode) => {
    const first = promptOf(new AgentSkillsSection({ skillsDir: coffeeFolder(), mode })).render();
    expect(first.text).not.toMatch(/coffee|grind/i);
    expect(first.tools).toEqual([]);
    const { text, rendered } = openSections(first, OPEN);
    expect(text).toContain(mode === "inject" ? "Grind it." : "<name>coffee</name>");
    const names = mode === "tools" ? ["activate_skill", "read_skill_file"] : [];
    expect(rendered.tools.map(({ name }) => name)).toEqual(names);
  },
);

test("in an evaluation, a skill cannot be activated before its section is open", async () => {
  const run = promptOf(new AgentSkillsSection({ skillsDir: coffeeFolder() })).start({ mode: "tools" });
  expect(await run.call("activate_skill", { name: "coffee" })).toMatchObject({ isError: true, code: "tool-not-found" });
  await run.call("open_sections", OPEN);
  expect((await run.call("activate_skill", { name: "coffee" })).text).toContain("Grind it.");
});

test("skills inside a summarised section are not installed, and stay in the prompt", async () => {
  const skillsDir = skillsFolder();
  const prompt = promptOf(new SkillsSection({ skills: [tea] }));
  const { names } = await prompt.installAllSkills({ skillsDir });
  expect(names).toEqual([]);
  expect(existsSync(skillsDir)).toBe(false);
  const { text } = openSections(prompt.render({ installed: names }), OPEN);
  expect(text).toContain("Makes tea.");
});

test("skills inside a section that is shown in full are installed, at any depth", async () => {
  const skillsDir = skillsFolder();
  const prompt = promptOf(new SkillsSection({ skills: [tea] }), "full");
  expect((await prompt.installAllSkills({ skillsDir })).names).toEqual(["tea"]);
  expect(readdirSync(skillsDir)).toEqual(["tea"]);
});

test.each(["full", "summary"] as const)(
  "the `skills` of a section belong to it, with visibility %s",
  async (visibility) => {
    const ref = new SkillRef({ path: "coffee", basePath: coffeeFolder() });
    const kitchen = new MarkdownSection({
      title: "Kitchen",
      key: "kitchen",
      summary: "How to work in the kitchen.",
      template: "Wash your hands.",
      visibility,
      skills: [tea, ref],
    });
    const prompt = new Prompt(new PromptTemplate({ ns: "test", key: "kitchen", sections: [kitchen] }));
    const isShown = visibility === "full";
    const keys = ["kitchen.skills.tea", "kitchen.skills.coffee"];
    const first = prompt.render();
    expect(first.summarised).toEqual(isShown ? keys : ["kitchen"]);
    expect(first.text.includes("Makes tea.")).toBe(isShown);
    const { names } = await prompt.installAllSkills({ skillsDir: skillsFolder() });
    expect(names).toEqual(isShown ? ["tea", "coffee"] : []);
    if (!isShown) expect(openSections(first, OPEN).rendered.summarised).toEqual(keys);
  },
);
