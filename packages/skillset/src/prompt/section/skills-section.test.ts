import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { SkillInstallationError } from "../../core/base/errors.ts";
import { defineTool } from "../../core/tool/tool.ts";
import { removeTree } from "../../node/copy/remove-tree.ts";
import { Prompt } from "../prompt.ts";
import { PromptTemplate } from "../prompt-template.ts";
import type { PromptEvent } from "./events.ts";
import { MarkdownSection } from "./markdown-section.ts";
import type { Section } from "./section.ts";
import { SkillRef } from "./skill-ref.ts";
import { SkillSection, type SkillSectionOptions } from "./skill-section.ts";
import { SkillsSection } from "./skills-section.ts";

const runTests = defineTool({ name: "run_tests", description: "Runs tests.", handler: () => "green" });
const inline = (name: string, more: Partial<SkillSectionOptions> = {}) =>
  new SkillSection({ name, description: `Does ${name}.`, title: name, template: `# ${name} for $who`, ...more });
const naming = inline("naming");
const testing = inline("testing", { tools: [runTests] });
const docs = () => {
  const root = temporaryFolder({
    "docs/SKILL.md": skillMd("docs", "Writes `docs` <b>now</b>.", "Body with $who"),
    "docs/scripts/run.sh": "#!/bin/sh\n",
  });
  chmodSync(join(root, "docs/scripts/run.sh"), 0o755);
  return new SkillRef({ path: join(root, "docs") });
};
const prompt = (...sections: Section[]) =>
  new Prompt(new PromptTemplate({ ns: "demo", key: "skills", sections })).bind({ who: "Ann" });

/** A folder to install into. Its content is read-only, and removed before the parent folder. */
function emptySkillsDir(): string {
  const skillsDir = join(temporaryFolder(), "home/.claude/skills");
  onTestFinished(() => removeTree(skillsDir));
  return skillsDir;
}

describe("SkillsSection", () => {
  test("has the documented defaults and parts", () => {
    const ref = docs();
    const other = new SkillRef({ path: "/nowhere", enabled: () => false });
    const section = new SkillsSection({ skills: [testing, ref, naming], skillRefs: [other] });
    expect(section).toMatchObject({ title: "Skills", key: "skills", acceptsOverrides: true });
    expect(section.allSkills).toEqual([testing, ref, naming, other]);
    expect(section.inlineSkills).toEqual([testing, naming]);
    expect(section.referencedSkills).toEqual([ref, other]);
    expect(section.nativeSkills).toEqual([naming]);
    expect(section.promptSkills).toEqual([testing]);
    expect(Object.isFrozen(section) && Object.isFrozen(section.allSkills)).toBe(true);
  });

  test("without skills, it is not in the text", () => {
    expect(prompt(new SkillsSection()).render().text).toBe("");
  });

  test("an override is shown above its skills", () => {
    const { text } = prompt(new SkillsSection({ skills: [naming] })).render({ overrides: { skills: "For $who:" } });
    expect(text).toMatch(/^## Skills\n\nFor Ann:\n\n### naming\n/);
    const sealed = new SkillsSection({ skills: [naming], acceptsOverrides: false });
    expect(() => prompt(sealed).render({ overrides: { skills: "x" } })).toThrow("accepts no overrides");
  });

  test("accepts only skills", () => {
    const section = new MarkdownSection({ title: "a", key: "a", template: "a" });
    expect(() => new SkillsSection({ skills: [section as never] })).toThrow("accepts only SkillSections and SkillRefs");
  });
});

describe("two skills with one name are rejected with both places", () => {
  test("in code", () => {
    expect(() => new SkillsSection({ skills: [naming, inline("naming", { key: "again" })] })).toThrow(
      "Two skills are called 'naming': section 'skills.naming' titled 'naming' and section 'skills.again' titled 'naming'. Rename one of them.",
    );
  });

  test("in code and referenced", () => {
    const ref = docs();
    const section = () => new SkillsSection({ skills: [inline("docs", { key: "own" }), ref] });
    expect(section).toThrow(
      expect.objectContaining({
        name: "PromptValidationError",
        message: `Two skills are called 'docs': section 'skills.own' titled 'docs' and ${ref.resolvedPath}. Rename one of them.`,
        places: ["section 'skills.own' titled 'docs'", ref.resolvedPath],
      }),
    );
  });

  test("both referenced, even if the second is enabled later", () => {
    let isOn = false;
    const root = temporaryFolder({ "a/docs/SKILL.md": skillMd("docs"), "b/docs/SKILL.md": skillMd("docs") });
    const late = new SkillRef({ path: join(root, "b/docs"), enabled: () => isOn });
    const section = new SkillsSection({ skillRefs: [new SkillRef({ path: join(root, "a/docs") }), late] });
    const whole = prompt(section);
    expect(whole.render().skills).toHaveLength(1);
    isOn = true;
    expect(() => whole.render()).toThrow("Two skills are called 'docs'");
    const installing = section.installSkills({ skillsDir: join(root, "out") });
    return expect(installing).rejects.toMatchObject({ code: "prompt-invalid" });
  });

  test("in two sections of one prompt", () => {
    const two = [
      new SkillsSection({ skills: [naming] }),
      new SkillsSection({ key: "more", skills: [inline("naming")] }),
    ];
    expect(() => prompt(...two)).toThrow(
      "section 'skills.naming' titled 'naming' and section 'more.naming' titled 'naming'",
    );
  });
});

describe("rendering", () => {
  test("without installation, all skills are summarised in order, and a reference is escaped", () => {
    const rendered = prompt(new SkillsSection({ skills: [testing, docs(), naming] })).render();
    expect(rendered.summarised).toEqual(["skills.testing", "skills.docs", "skills.naming"]);
    expect(rendered.skills).toEqual([
      { name: "testing", key: "skills.testing", source: "inline", state: "summary" },
      { name: "docs", key: "skills.docs", source: "ref", state: "summary" },
      { name: "naming", key: "skills.naming", source: "inline", state: "summary" },
    ]);
    expect(rendered.text).toContain(
      "### docs\n\n[Skill: docs] Writes \\`docs\\` \\<b\\>now\\</b\\>.\n\n---\n[This skill",
    );
  });

  test("an open reference contains its file's text with '$' unchanged; it accepts no overrides", () => {
    const whole = prompt(new SkillsSection({ skillRefs: [docs()] }));
    expect(whole.render({ open: ["skills.docs"] }).textOf("skills.docs")).toBe("### docs\n\nBody with $who");
    expect(() => whole.render({ overrides: { "skills.docs": "x" } })).toThrow("accepts no overrides");
  });

  test("instructions that are too long are cut, with a notice", () => {
    const root = temporaryFolder({ "long/SKILL.md": skillMd("long", "Long.", "x".repeat(300_000)) });
    const section = new SkillsSection({ skillRefs: [new SkillRef({ path: join(root, "long") })] });
    const text = prompt(section)
      .render({ open: ["skills.long"] })
      .textOf("skills.long");
    expect(text).toMatch(/x\n\n\[SKILL\.md is cut here: 100000 of 300000 bytes were removed\.\]$/);
  });

  test("installed skills are omitted from the text; those with tools stay", () => {
    const whole = prompt(new SkillsSection({ skills: [testing, docs(), naming] }));
    const rendered = whole.render({ installed: ["docs", "naming", "testing"] });
    expect(rendered.skills.map(({ name, state }) => [name, state])).toEqual([
      ["testing", "summary"],
      ["docs", "installed"],
      ["naming", "installed"],
    ]);
    expect(rendered.text).not.toMatch(/naming|docs/);
    expect(prompt(new SkillsSection({ skills: [naming] })).render({ installed: ["naming"] }).text).toBe("");
  });

  test("enabledSkills selects skills; omitted, it includes all", () => {
    const whole = prompt(new SkillsSection({ skills: [testing, docs(), naming] }));
    const namesOf = (enabledSkills?: string[]) =>
      whole.render(enabledSkills && { enabledSkills }).skills.map(({ name }) => name);
    expect(namesOf(["docs", "unknown"])).toEqual(["docs"]);
    expect(namesOf([])).toEqual([]);
    expect(namesOf()).toHaveLength(3);
  });

  test("enabled(params) follows the language", () => {
    const forLanguage = (language: string) =>
      inline(`${language}-review`, { enabled: (params) => params.language === language });
    const whole = new Prompt(
      new PromptTemplate({
        ns: "n",
        key: "k",
        params: z.object({ language: z.string(), who: z.string() }),
        sections: [new SkillsSection({ skills: [forLanguage("python"), forLanguage("typescript")] })],
      }),
    );
    const names = (language: string) =>
      whole
        .bind({ language, who: "x" })
        .render()
        .skills.map(({ name }) => name);
    expect(names("python")).toEqual(["python-review"]);
    expect(names("typescript")).toEqual(["typescript-review"]);
    expect(names("cobol")).toEqual([]);
  });
});

describe("installing", () => {
  test("installSkills writes the native skills, copies the referenced ones, and returns their folders", async () => {
    const skillsDir = emptySkillsDir();
    const section = new SkillsSection({ skills: [testing, docs(), naming] });
    const paths = await section.installSkills({ skillsDir, params: { who: "Ann" } });
    expect(paths).toEqual([join(skillsDir, "docs"), join(skillsDir, "naming")]);
    expect(readFileSync(join(skillsDir, "naming/SKILL.md"), "utf8")).toBe(naming.toSkillMd({ who: "Ann" }));
    expect(readFileSync(join(skillsDir, "docs/SKILL.md"), "utf8")).toContain("Body with $who");
    expect(statSync(join(skillsDir, "docs/scripts/run.sh")).mode & 0o111).not.toBe(0);
    expect(readdirSync(skillsDir).sort()).toEqual(["docs", "naming"]);
  });

  test("only enabled skills are installed", async () => {
    const skillsDir = emptySkillsDir();
    const off = inline("off", { enabled: () => false });
    const section = new SkillsSection({ skills: [off, naming, inline("other")] });
    const options = { skillsDir, params: { who: "Ann" } };
    expect(await section.installSkills({ ...options, enabledSkills: ["naming", "off"] })).toEqual([
      join(skillsDir, "naming"),
    ]);
    const disabled = new SkillsSection({ skills: [naming], enabled: () => false });
    expect(await disabled.installSkills(options)).toEqual([]);
  });

  test("a single file becomes the SKILL.md of a folder", async () => {
    const root = temporaryFolder({ "Notes.md": skillMd("notes") });
    const ref = new SkillRef({ path: join(root, "Notes.md"), name: "notes" });
    const skillsDir = emptySkillsDir();
    await new SkillsSection({ skillRefs: [ref] }).installSkills({ skillsDir });
    expect(readFileSync(join(skillsDir, "notes/SKILL.md"), "utf8")).toBe(skillMd("notes"));
  });

  test("a folder or file is installed under the name of its reference, which its SKILL.md has too", async () => {
    const root = temporaryFolder({
      "docs/SKILL.md": skillMd("docs", "Documents.", "Body\n", "license: MIT # ours\n"),
      "docs/scripts/run.sh": "true\n",
      "lone.md": skillMd("lone", "Alone."),
    });
    const skillRefs = [
      new SkillRef({ path: join(root, "docs"), name: "our-docs" }),
      new SkillRef({ path: join(root, "lone.md"), name: "not-alone" }),
    ];
    const skillsDir = emptySkillsDir();
    await new SkillsSection({ skillRefs }).installSkills({ skillsDir });
    expect(readdirSync(join(skillsDir, "our-docs")).sort()).toEqual(["SKILL.md", "scripts"]);
    expect(readFileSync(join(skillsDir, "our-docs/SKILL.md"), "utf8")).toBe(
      skillMd("our-docs", "Documents.", "Body\n", "license: MIT # ours\n"),
    );
    expect(readFileSync(join(skillsDir, "not-alone/SKILL.md"), "utf8")).toBe(
      skillMd("not-alone", "Alone.", "# lone\n"),
    );
    expect(statSync(join(skillsDir, "our-docs/SKILL.md")).mode & 0o777).toBe(0o444);
    expect(readFileSync(join(root, "docs/SKILL.md"), "utf8")).toContain("name: docs\n");
  });

  test("a reference that has become invalid is reported before anything is written", async () => {
    const root = temporaryFolder({ "docs/SKILL.md": skillMd("docs") });
    const section = new SkillsSection({ skills: [naming], skillRefs: [new SkillRef({ path: join(root, "docs") })] });
    writeFiles(root, { "docs/SKILL.md": "broken" });
    const installing = section.installSkills({ skillsDir: join(root, "out"), params: { who: "Ann" } });
    await expect(installing).rejects.toMatchObject({ reason: "invalid-frontmatter" });
    expect(readdirSync(root)).toEqual(["docs"]);
  });

  test("a write error is a SkillInstallationError with its cause", async () => {
    const root = temporaryFolder({ file: "not a folder" });
    const installing = new SkillsSection({ skills: [naming] }).installSkills({
      skillsDir: join(root, "file/skills"),
      params: { who: "Ann" },
    });
    const error = await installing.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SkillInstallationError);
    expect(error).toMatchObject({ code: "skill-install-failed", skillName: "naming", source: "inline" });
    expect((error as SkillInstallationError).skillsDir).toBe(join(root, "file/skills"));
    expect((error as SkillInstallationError).cause).toBeInstanceOf(Error);
  });

  test("a prompt installs the skills of all its sections with its overrides, and emits one event", async () => {
    const skillsDir = emptySkillsDir();
    const events: PromptEvent[] = [];
    const outer = new MarkdownSection({
      title: "Outer",
      key: "outer",
      template: "x",
      children: [new SkillsSection({ skills: [testing, naming] })],
    });
    const hidden = new MarkdownSection({
      title: "Hidden",
      key: "hidden",
      template: "x",
      enabled: () => false,
      children: [new SkillsSection({ skills: [inline("never")] })],
    });
    const whole = prompt(outer, hidden, new SkillsSection({ key: "more", skillRefs: [docs()] }));
    const { names, paths } = await whole.installAllSkills({
      skillsDir,
      overrides: { "outer.skills.naming": "Mine, $who" },
      session: { id: "chat-1" },
      onEvent: (event) => {
        events.push(event);
        throw new Error("a listener that throws breaks nothing");
      },
    });
    expect(names).toEqual(["naming", "docs"]);
    expect(paths).toEqual([join(skillsDir, "naming"), join(skillsDir, "docs")]);
    expect(readFileSync(join(skillsDir, "naming/SKILL.md"), "utf8")).toMatch(/\n\nMine, Ann\n$/);
    expect(events).toEqual([
      {
        type: "SkillsInstalled",
        promptNs: "demo",
        promptKey: "skills",
        inlineSkills: ["naming"],
        referencedSkills: ["docs"],
        skills: ["naming", "docs"],
        skillsDir,
        sessionId: "chat-1",
        createdAt: expect.any(Date),
        eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ]);
    expect(Object.isFrozen(events[0])).toBe(true);
    expect(whole.render({ installed: names }).skills.map(({ name, state }) => `${name} ${state}`)).toEqual([
      "testing summary",
      "naming installed",
      "docs installed",
    ]);
  });

  test("a prompt without such skills installs nothing and emits nothing", async () => {
    const skillsDir = emptySkillsDir();
    const events: PromptEvent[] = [];
    const installing = prompt(new SkillsSection({ skills: [testing] })).installAllSkills({
      skillsDir,
      onEvent: (event) => events.push(event),
    });
    expect(await installing).toEqual({ names: [], paths: [] });
    expect(events).toEqual([]);
    expect(existsSync(skillsDir)).toBe(false);
  });

  test("an aborted signal stops the installation", async () => {
    const signal = AbortSignal.abort();
    const options = { skillsDir: emptySkillsDir(), params: { who: "Ann" }, signal };
    await expect(new SkillsSection({ skills: [naming] }).installSkills(options)).rejects.toThrow();
  });
});
