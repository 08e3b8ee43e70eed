import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { SkillError, SkillValidationError } from "../../core/base/errors.ts";
import { estimateTokens } from "../../core/text/tokens.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { Prompt } from "../prompt.ts";
import { PromptTemplate } from "../prompt-template.ts";
import { AgentSkillsSection } from "./agent-skills-section.ts";
import { SkillActivated } from "./events.ts";
import { MarkdownSection } from "./markdown-section.ts";
import type { Section } from "./section.ts";

const PDF = `---
name: pdf-forms
description: |
  Fills forms & merges <pages>.
license: MIT
compatibility: Requires poppler-utils
allowed-tools: Bash(pdftotext:*) Read
metadata:
  version: "1.0"
---

# Forms
`;
const folder = () =>
  temporaryFolder({
    "pdf-forms/SKILL.md": PDF,
    "code-review/SKILL.md": skillMd("code-review"),
    "pdf-old/SKILL.md": skillMd("pdf-old"),
    "not-a-skill/README.md": "x",
    "group/deep/SKILL.md": skillMd("deep"),
  });
const render = (...sections: Section[]) => new Prompt(new PromptTemplate({ ns: "n", key: "k", sections })).render();
const names = (section: AgentSkillsSection) => section.skills.map(({ name }) => name);

describe("AgentSkillsSection", () => {
  test("has the documented defaults", () => {
    const section = new AgentSkillsSection({ skillsDir: folder() });
    expect(section).toMatchObject({ mountPath: "skills", acceptsOverrides: false, key: "agent-skills" });
    expect(section.session).toBeUndefined();
    expect(Object.isFrozen(section)).toBe(true);
  });

  test("loads the immediate folders with a SKILL.md, synchronously in the constructor", () => {
    const skillsDir = folder();
    const section = new AgentSkillsSection({ skillsDir });
    rmSync(skillsDir, { recursive: true });
    expect(names(section)).toEqual(["code-review", "pdf-forms", "pdf-old"]);
    expect(render(section).text).toContain("<name>pdf-old</name>");
  });

  test("a link to a skill in the same folder is that skill, not a second one", () => {
    const skillsDir = temporaryFolder({ "ok/SKILL.md": skillMd("ok") });
    symlinkSync("ok", join(skillsDir, "alias"));
    const section = new AgentSkillsSection({ skillsDir });
    expect(names(section)).toEqual(["ok"]);
    expect(render(section).text.match(/<location>.*<\/location>/g)).toEqual(["<location>skills/ok</location>"]);
    expect(section.problems).toEqual([]);
  });

  test("the mount path is the folder's relative path, and 'skills' for a folder elsewhere", () => {
    const project = temporaryFolder({
      ".agents/skills/ok/SKILL.md": skillMd("ok"),
      "skills/ok/SKILL.md": skillMd("ok"),
    });
    const before = process.cwd();
    process.chdir(project);
    onTestFinished(() => process.chdir(before));
    const section = new AgentSkillsSection({ skillsDir: ".agents/skills" });
    expect(section).toMatchObject({ mountPath: ".agents/skills", key: "agent-skills" });
    expect(render(section).text).toContain("<location>.agents/skills/ok</location>");
    expect(new AgentSkillsSection({ skillsDir: "./skills" }).mountPath).toBe("skills");
    expect(new AgentSkillsSection({ skillsDir: folder() }).mountPath).toBe("skills");
    process.chdir(before);
    expect(section.clone().mountPath).toBe(".agents/skills");
  });

  test("allowed and denied globs filter skills; denied ones take precedence, and empty means all", () => {
    const skillsDir = folder();
    expect(names(new AgentSkillsSection({ skillsDir, allowedSkills: ["pdf-*"] }))).toEqual(["pdf-forms", "pdf-old"]);
    const both = new AgentSkillsSection({ skillsDir, allowedSkills: ["pdf-*", "code-*"], deniedSkills: ["*-old"] });
    expect(names(both)).toEqual(["code-review", "pdf-forms"]);
    expect(names(new AgentSkillsSection({ skillsDir, deniedSkills: ["*"] }))).toEqual([]);
  });

  test.each(["allowedSkills", "deniedSkills"] as const)("%s must be an array of globs, not a string", (option) => {
    const make = (globs: unknown) => new AgentSkillsSection({ skillsDir: folder(), [option]: globs as never });
    expect(() => make("pdf-*")).toThrow(
      `'${option}' must be an array of names; got the string 'pdf-*'. Write ["pdf-*"].`,
    );
    expect(() => make([7])).toThrow(`'${option}' must be an array of names; got [7].`);
  });

  test("'recursive' searches deeper, and the catalog shows where a skill is", () => {
    const section = new AgentSkillsSection({ skillsDir: folder(), recursive: true, allowedSkills: ["deep"] });
    expect(render(section).text).toContain("<location>skills/group/deep</location>");
  });

  test("accepts a URL, and a folder that is a skill itself", () => {
    const skillsDir = folder();
    expect(names(new AgentSkillsSection({ skillsDir: pathToFileURL(skillsDir) }))).toHaveLength(3);
    const one = new AgentSkillsSection({ skillsDir: join(skillsDir, "pdf-forms"), mountPath: "skills/pdf-forms" });
    expect(render(one).text).toContain("<location>skills/pdf-forms</location>");
  });

  test("a missing folder is an error", () => {
    expect(() => new AgentSkillsSection({ skillsDir: join(folder(), "gone") })).toThrow(
      expect.objectContaining({ code: "source-not-found" }),
    );
  });
});

describe("rendering", () => {
  test("shows the catalog with locations, and numbered steps", () => {
    const section = new AgentSkillsSection({ skillsDir: folder(), allowedSkills: ["pdf-forms"] });
    expect(render(section).text).toBe(
      `## Agent Skills

<available_skills>
  <skill>
    <name>pdf-forms</name>
    <description>Fills forms &amp; merges &lt;pages&gt;.</description>
    <location>skills/pdf-forms</location>
  </skill>
</available_skills>

When a task matches an available skill:
1. Read the skill's SKILL.md file, at its location, for the full instructions.
2. Follow those instructions step by step.
3. Use the scripts and references in the skill's folder as they ask for them.`,
    );
  });

  test("stays within 8,000 tokens, and says which folder has the skills that it leaves out", () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `skill-${index}`);
    const files = names.map((name) => [`skills/${name}/SKILL.md`, skillMd(name, "Does one thing. ".repeat(20))]);
    const skillsDir = join(temporaryFolder(Object.fromEntries(files)), "skills");
    const section = new AgentSkillsSection({ skillsDir, mountPath: "skills", catalog: { pins: ["skill-2999"] } });
    const body = section.renderBody({});
    expect(estimateTokens(body)).toBeLessThan(8_100);
    expect(body).toContain("more skills are not listed: list the folder `skills` to find them; ");
    expect(body).toMatch(/<names>[^<]+<\/names>\n {4}<location>skills\/\{name\}<\/location>/);
    expect(body).toContain("<name>skill-2999</name>");
    const budget = { tokens: Number.POSITIVE_INFINITY };
    expect(new AgentSkillsSection({ skillsDir, catalog: { budget } }).renderBody({})).toContain("skill-1500</name>");
    expect(() => new AgentSkillsSection({ skillsDir, catalog: { pins: ["skil-7"] } })).toThrow("Did you mean");
  });

  test("shows only the names when summarised", () => {
    const section = new AgentSkillsSection({ skillsDir: folder(), visibility: "summary" });
    const rendered = render(section);
    expect(rendered.text).toMatch(/^## Agent Skills\n\n- code-review\n- pdf-forms\n- pdf-old\n\n---\n\[This section/);
    expect(rendered.summarised).toEqual(["agent-skills"]);
    expect(rendered.reopen(rendered.summarised).text).toContain("<location>skills/pdf-old</location>");
  });

  test("shows nothing without skills, summarised or not", () => {
    const hidden = { "a/SKILL.md": "---\nname: a\ndescription: d\ndisable-model-invocation: true\n---\n" };
    for (const skillsDir of [temporaryFolder(), temporaryFolder(hidden)]) {
      expect(render(new AgentSkillsSection({ skillsDir })).text).toBe("");
      expect(render(new AgentSkillsSection({ skillsDir, visibility: "summary" })).text).toBe("");
    }
  });

  test("an override replaces the steps if it is accepted, and never the catalog", () => {
    const skillsDir = folder();
    const whole = (acceptsOverrides: boolean) =>
      new Prompt(
        new PromptTemplate({
          ns: "n",
          key: "k",
          sections: [new AgentSkillsSection({ skillsDir, acceptsOverrides })],
        }),
      );
    const overrides = { "agent-skills": "Read them, $who." };
    expect(whole(true).bind({ who: "Ann" }).render({ overrides }).text).toMatch(
      /<\/available_skills>\n\nRead them, Ann\.$/,
    );
    expect(() => whole(false).render({ overrides })).toThrow("accepts no overrides");
  });

  test("several sections with different mount paths are all listed", () => {
    const task = new MarkdownSection({ title: "Task", key: "task", template: "Do it." });
    const org = new AgentSkillsSection({ skillsDir: folder(), mountPath: "skills/org" });
    const own = new AgentSkillsSection({ skillsDir: folder(), mountPath: "skills/project/", title: "Project Skills" });
    const { text, sections } = render(task, org, own);
    expect([...sections.keys()]).toEqual(["task", "agent-skills-org", "agent-skills-project"]);
    expect(text).toContain("<location>skills/org/pdf-forms</location>");
    expect(text).toContain("<location>skills/project/pdf-forms</location>");
  });
});

test("skills are metadata with an absolute path and the tokens of allowed-tools", () => {
  const skillsDir = folder();
  const { skills } = new AgentSkillsSection({ skillsDir, allowedSkills: ["pdf-forms"] });
  expect(skills).toEqual([
    {
      name: "pdf-forms",
      description: "Fills forms & merges <pages>.",
      path: join(skillsDir, "pdf-forms"),
      license: "MIT",
      compatibility: "Requires poppler-utils",
      allowedTools: ["Bash(pdftotext:*)", "Read"],
      metadata: { version: "1.0" },
    },
  ]);
  expect(Object.isFrozen(skills) && Object.isFrozen(skills[0])).toBe(true);
});

test("a clone has the same skills and another session, and reads nothing", async () => {
  const skillsDir = folder();
  const set = await createSkillset([]);
  const [one, two] = [await set.session({ id: "one" }), await set.session({ id: "two" })];
  const section = new AgentSkillsSection({ skillsDir, session: one, mountPath: "mine", deniedSkills: ["pdf-*"] });
  rmSync(skillsDir, { recursive: true });
  const clone = section.clone({ session: two });
  expect([section.session, clone.session]).toEqual([one, two]);
  expect(clone.skills).toEqual(section.skills);
  expect(render(clone).text).toBe(render(section).text);
  expect(section.clone().session).toBeUndefined();
});

describe("an invalid skill is an error", () => {
  test.each([
    ["no frontmatter", "frontmatter-missing"],
    ["---\nname: bad\n", "frontmatter-unclosed"],
    ["---\nname: [\n---\n", "frontmatter-invalid-yaml"],
    ["---\n- a\n---\n", "frontmatter-not-a-mapping"],
    ["---\nname: other\ndescription: d\n---\n", "name-folder-mismatch"],
    ["---\nname: bad--name\ndescription: d\n---\n", "name-double-hyphen"],
    ["---\nname: bad\n---\n", "description-missing"],
  ])("%j", (content, code) => {
    const skillsDir = temporaryFolder({ "bad/SKILL.md": content, "good/SKILL.md": skillMd("good") });
    try {
      new AgentSkillsSection({ skillsDir });
      throw new Error("It was accepted.");
    } catch (error) {
      expect(error).toBeInstanceOf(SkillValidationError);
      expect((error as SkillValidationError).problems.map((problem) => problem.code)).toContain(code);
    }
    expect(names(new AgentSkillsSection({ skillsDir, deniedSkills: ["bad"] }))).toEqual(["good"]);
  });

  test("two skills with one name are an error with both places", () => {
    const skillsDir = temporaryFolder({ "a/x/SKILL.md": skillMd("x"), "b/x/SKILL.md": skillMd("x") });
    expect(() => new AgentSkillsSection({ skillsDir, recursive: 2 })).toThrow(
      /Two skills are named 'x': .*a\/x and .*b\/x/,
    );
  });
});

describe("containment", () => {
  test("a link that leaves the folder is not followed, and is reported as a problem; one that stays is a skill", () => {
    const skillsDir = temporaryFolder({ "real/SKILL.md": skillMd("real") });
    const outside = temporaryFolder({ "secret/SKILL.md": skillMd("secret") });
    mkdirSync(join(skillsDir, "lib"));
    symlinkSync(join(outside, "secret"), join(skillsDir, "secret"));
    const section = new AgentSkillsSection({ skillsDir });
    expect(names(section)).toEqual(["real"]);
    expect(section.problems.map(({ code }) => code)).toEqual(["link-outside"]);
  });

  test("a SKILL.md that links outside its folder is an error", () => {
    const skillsDir = temporaryFolder();
    const outside = temporaryFolder({ "SKILL.md": skillMd("bad") });
    mkdirSync(join(skillsDir, "bad"));
    symlinkSync(join(outside, "SKILL.md"), join(skillsDir, "bad/SKILL.md"));
    expect(() => new AgentSkillsSection({ skillsDir })).toThrow(SkillValidationError);
  });

  test.each(["/abs", "../up", "a/../../b", "~", "", "file:x", "a\nb"])("%j is not a valid mount path", (mountPath) => {
    expect(() => new AgentSkillsSection({ skillsDir: folder(), mountPath, key: "a" })).toThrow("mountPath must be");
    expect(() => new AgentSkillsSection({ skillsDir: folder(), mountPath })).toThrow(SkillError);
  });
});

test("skillAt() returns the skill that a read activates", () => {
  const skillsDir = folder();
  const section = new AgentSkillsSection({ skillsDir, mountPath: "skills/org" });
  const cwd = "/workspace";
  expect(section.skillAt("skills/org/pdf-forms/SKILL.md", { cwd })?.name).toBe("pdf-forms");
  expect(section.skillAt("/workspace/skills/org/./pdf-forms/SKILL.md", { cwd })?.name).toBe("pdf-forms");
  expect(section.skillAt(join(skillsDir, "pdf-forms/SKILL.md"), { cwd })?.name).toBe("pdf-forms");
  for (const path of ["skills/org/pdf-forms/README.md", "pdf-forms/SKILL.md", "skills/org/nope/SKILL.md", ""]) {
    expect(section.skillAt(path, { cwd })).toBeUndefined();
  }
  const event = new SkillActivated({ skillName: "pdf-forms", skillPath: join(skillsDir, "pdf-forms") });
  expect(event).toMatchObject({ type: "SkillActivated", skillName: "pdf-forms", timestamp: expect.any(Date) });
  expect(Object.isFrozen(event)).toBe(true);
});

describe("a recorded read", () => {
  const open = async () => {
    const skillsDir = temporaryFolder({ "pdf/SKILL.md": skillMd("pdf", "Reads PDFs.", "# PDF"), "pdf/notes.md": "N" });
    const set = await createSkillset([skillsDir]);
    return { skillsDir, session: await set.session() };
  };

  test("activates the skill in the section's session, and returns it", async () => {
    const { skillsDir, session } = await open();
    const heard: unknown[] = [];
    session.ledger.on("skill-activated", (entry) => heard.push(entry));
    const section = new AgentSkillsSection({ skillsDir, session, mountPath: "skills" });
    const read = await section.recordRead("skills/pdf/SKILL.md", { cwd: "/work" });
    expect(read).toMatchObject({ name: "pdf", path: join(skillsDir, "pdf") });
    expect(session.active).toEqual(["pdf"]);
    expect(heard).toEqual([session.ledger.entries.at(-1)]);
    expect(heard).toMatchObject([{ type: "skill-activated", skill: "pdf", by: "model", bytes: 5, repeated: false }]);
  });

  test("of another file, or without a session, records nothing", async () => {
    const { skillsDir, session } = await open();
    const section = new AgentSkillsSection({ skillsDir, session, mountPath: "skills" });
    expect(await section.recordRead("skills/pdf/notes.md")).toBeUndefined();
    expect(await section.recordRead("/etc/passwd")).toBeUndefined();
    expect(await section.clone().recordRead("skills/pdf/SKILL.md")).toMatchObject({ name: "pdf" });
    expect([session.ledger.entries, session.active]).toEqual([[], []]);
  });
});
