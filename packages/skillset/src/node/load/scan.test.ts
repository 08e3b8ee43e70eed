import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { TrustStore } from "../trust/trust.ts";
import { createSkillset } from "./create-skillset.ts";

const NO_DESCRIPTION = "---\nname: broken\n---\n";

async function load(files: Readonly<Record<string, string>>, options: Parameters<typeof createSkillset>[1] = {}) {
  const root = temporaryFolder(files);
  const { names, problems } = await createSkillset([root], options);
  return { root, names, problems, notRead: problems.filter(({ code }) => code === "skills-not-read") };
}

/** A path of so many folders. */
function deep(levels: number): string {
  return Array.from({ length: levels }, (_, level) => `l${level}`).join("/");
}

describe("a recursive scan", () => {
  test("continues below a SKILL.md at its root", async () => {
    const { names, problems } = await load(
      { "SKILL.md": skillMd("x"), "a/SKILL.md": skillMd("a"), "group/b/SKILL.md": skillMd("b") },
      { recursive: true },
    );
    expect(names.slice(1)).toEqual(["a", "b"]);
    expect(problems.map(({ code }) => code)).toEqual(["name-folder-mismatch"]);
  });

  test("continues below an invalid SKILL.md", async () => {
    const { names } = await load(
      { "SKILL.md": NO_DESCRIPTION, "broken/SKILL.md": NO_DESCRIPTION, "broken/inner/a/SKILL.md": skillMd("a") },
      { recursive: true },
    );
    expect(names).toEqual(["a"]);
  });

  test("stops at another valid skill, and reports how many skills are below it", async () => {
    const { root, names, notRead } = await load(
      {
        "pdf/SKILL.md": skillMd("pdf"),
        "pdf/one/SKILL.md": skillMd("one"),
        "pdf/more/two/SKILL.md": skillMd("two"),
        "alone/SKILL.md": skillMd("alone"),
      },
      { recursive: true },
    );
    expect(names).toEqual(["alone", "pdf"]);
    expect(notRead).toEqual([
      expect.objectContaining({
        severity: "warning",
        skill: "pdf",
        path: join(root, "pdf/SKILL.md"),
        message: "2 skills below 'pdf' are loaded only if passed by path (one, more/two): a scan stops at a skill.",
        fix: expect.stringContaining("add their folders"),
      }),
    ]);
  });

  test.each(["skills", "many"])("continues below '%s', which has a SKILL.md but holds skills", async (name) => {
    const inside = Array.from({ length: name === "skills" ? 2 : 10 }, (_, index) => `s${index}`);
    const files = Object.fromEntries(inside.map((one) => [`top/${name}/${one}/SKILL.md`, skillMd(one)]));
    const { names, notRead } = await load({ ...files, [`top/${name}/SKILL.md`]: skillMd(name) }, { recursive: true });
    expect(names.toSorted()).toEqual([name, ...inside].sort());
    expect(notRead).toEqual([]);
  });

  test("treats a SKILL.md in scripts, references or assets of a skill as one of its files", async () => {
    const { names, notRead } = await load(
      {
        "SKILL.md": skillMd("x"),
        "assets/template/SKILL.md": skillMd("template"),
        "pdf/SKILL.md": skillMd("pdf"),
        "pdf/references/SKILL.md": skillMd("example"),
        "scripts-of-a-folder/assets/a/SKILL.md": skillMd("a"),
      },
      { recursive: true },
    );
    expect(names.slice(1)).toEqual(["pdf", "a"]);
    expect(notRead).toEqual([]);
  });

  test("reports the skills that are deeper than six levels", async () => {
    const { problems } = await load(
      { [`${deep(5)}/a/SKILL.md`]: skillMd("a"), [`${deep(8)}/b/SKILL.md`]: skillMd("b") },
      { recursive: true },
    );
    expect(problems).toEqual([
      expect.objectContaining({
        code: "scan-limit",
        message: expect.stringMatching(/^1 skill is not loaded \(.*\/b\): it is more than 6 levels below/),
      }),
    ]);
  });

  test("does not report deep folders without skills", async () => {
    const { problems } = await load({ "a/SKILL.md": skillMd("a"), [`${deep(9)}/README.md`]: "" }, { recursive: true });
    expect(problems).toEqual([]);
  });

  test("reports a misspelled SKILL.md on every level", async () => {
    const { root, problems } = await load(
      { "a/SKILL.md": skillMd("a"), "group/b/skill.md": skillMd("b") },
      { recursive: true },
    );
    expect(problems.map(({ code, path }) => [code, path])).toEqual([
      ["skill-md-misnamed", join(root, "group/b/skill.md")],
    ]);
  });

  test("a pattern with ** reports what is deeper, too, and is not misled by links in a circle", async () => {
    const root = temporaryFolder({ "a/SKILL.md": skillMd("a"), [`${deep(8)}/b/SKILL.md`]: skillMd("b") });
    symlinkSync("..", join(root, "a/up"));
    const { problems } = await createSkillset(["**/SKILL.md"], { cwd: root });
    expect(problems.filter(({ code }) => code === "scan-limit").map(({ message }) => message)).toEqual([
      `1 skill is not loaded (${deep(8)}/b): '**' in '**/SKILL.md' searches 6 levels deep.`,
    ]);
  });
});

describe("a scan of one level", () => {
  test("loads the skill whose folder is the source, and reports those below it", async () => {
    const { names, notRead } = await load({ "SKILL.md": skillMd("x"), "skills/a/SKILL.md": skillMd("a") });
    expect(names).toHaveLength(1);
    expect(notRead).toEqual([expect.objectContaining({ fix: expect.stringContaining("--recursive") })]);
  });

  test("reports nothing when the SKILL.md itself is the source", async () => {
    const root = temporaryFolder({ "a/SKILL.md": skillMd("a"), "a/b/SKILL.md": skillMd("b") });
    expect((await createSkillset([join(root, "a/SKILL.md")])).problems).toEqual([]);
  });

  test("finds the children of a root whose own SKILL.md is invalid", async () => {
    expect((await load({ "SKILL.md": NO_DESCRIPTION, "a/SKILL.md": skillMd("a") })).names).toEqual(["a"]);
  });

  test("finds the skills in a skills folder although the folder itself has a SKILL.md", async () => {
    const root = temporaryFolder({ "home/skills/SKILL.md": skillMd("skills"), "home/skills/a/SKILL.md": skillMd("a") });
    symlinkSync("nowhere", join(root, "home/skills/notes"));
    const source = { path: join(root, "home/skills"), scope: "user" as const };
    const { names, problems } = await createSkillset([source], {
      trustStore: new TrustStore(join(root, "trust.json")),
    });
    expect(names).toEqual(["skills", "a"]);
    expect(problems).toEqual([]);
  });

  test("reports how many skills are deeper, whether it found some or none", async () => {
    const files = { "group/a/SKILL.md": skillMd("a"), "group/b/SKILL.md": skillMd("b") };
    const none = await load(files);
    expect(none.problems.map(({ code }) => code)).toEqual(["skills-not-read", "source-empty"]);
    const { root, notRead } = await load({ ...files, "c/SKILL.md": skillMd("c") });
    expect(notRead).toEqual([
      expect.objectContaining({
        message: `2 skills are not loaded (group/a, group/b): they are more than 1 level below '${root}'.`,
        fix: expect.stringContaining("--recursive"),
      }),
    ]);
  });
});

test("a page named skills.md is not a misspelled SKILL.md, unless it starts like one", async () => {
  const { root, problems } = await load({
    "a/SKILL.md": skillMd("a"),
    "docs/skills.md": "# Our skills\n",
    "b/skills.md": skillMd("b"),
  });
  expect(problems.map(({ code, path }) => [code, path])).toEqual([["skill-md-misnamed", join(root, "b/skills.md")]]);
});
