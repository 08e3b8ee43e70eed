import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { SkillInstallationError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { type InstallItem, installSkills } from "./install-skills.ts";

const inline = (name: string): InstallItem => ({ name, source: "inline", content: skillMd(name) });
const modeOf = (path: string): string => (lstatSync(path).mode & 0o7777).toString(8);

/** A skill's folder, and a place to install it. */
function setUp(files: Readonly<Record<string, string>> = {}) {
  const root = temporaryFolder({ "secret.txt": "secret", "source/pdf/SKILL.md": skillMd("pdf") });
  writeFiles(join(root, "source/pdf"), files);
  const folder = join(root, "source/pdf");
  const skills = join(root, "home/.claude/skills");
  const ref: InstallItem = { name: "pdf", source: "ref", folder };
  return { root, folder, skills, ref };
}

/** Everything below a folder. */
function all(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}

async function refusal(installing: Promise<unknown>): Promise<SkillInstallationError> {
  const error = await installing.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SkillInstallationError);
  return error as SkillInstallationError;
}

test("a skill in code is installed as its SKILL.md, one in a folder with all its files", async () => {
  const { root, skills, ref } = setUp({ "checklists/a.md": "a", "patterns/deep/b.json": "{}", ".hidden": "h" });
  const installed = await installSkills(skills, [inline("notes"), ref]);
  expect(installed).toEqual([join(skills, "notes"), join(skills, "pdf")]);
  expect(readFileSync(join(skills, "notes/SKILL.md"), "utf8")).toBe(skillMd("notes"));
  expect(all(join(skills, "pdf"))).toEqual([
    ".hidden",
    "SKILL.md",
    "checklists",
    "checklists/a.md",
    "patterns",
    "patterns/deep",
    "patterns/deep/b.json",
  ]);
  expect(readdirSync(join(root, "home/.claude"))).toEqual(["skills"]);
});

test("a lone Markdown file becomes the SKILL.md of a skill with the given name", async () => {
  const { root, skills } = setUp();
  writeFiles(root, { "review.md": skillMd("review") });
  await installSkills(skills, [{ name: "code-review", source: "ref", file: join(root, "review.md") }]);
  expect(readFileSync(join(skills, "code-review/SKILL.md"), "utf8")).toBe(skillMd("review"));
});

test("executables stay executable, nothing is writable, and setuid and setgid bits are dropped", async () => {
  const { folder, skills, ref } = setUp({ "run.sh": "#!/bin/sh", "own.md": "", "suid.sh": "", "sub/sgid.sh": "" });
  chmodSync(join(folder, "SKILL.md"), 0o644);
  for (const [path, mode] of [
    ["run.sh", 0o755],
    ["own.md", 0o600],
    ["suid.sh", 0o4755],
    ["sub/sgid.sh", 0o2775],
    ["sub", 0o3777],
  ] as const)
    chmodSync(join(folder, path), mode);
  await installSkills(skills, [ref]);
  const modes = ["", "SKILL.md", "run.sh", "own.md", "suid.sh", "sub", "sub/sgid.sh"].map((path) =>
    modeOf(join(skills, "pdf", path)),
  );
  expect(modes).toEqual(["555", "444", "555", "400", "555", "555", "555"]);
});

test("modes are kept with readOnly: false, except setuid and setgid bits", async () => {
  const { folder, skills, ref } = setUp({ "run.sh": "", "suid.sh": "" });
  chmodSync(join(folder, "run.sh"), 0o750);
  chmodSync(join(folder, "suid.sh"), 0o4755);
  await installSkills(skills, [ref], { readOnly: false });
  expect(["", "run.sh", "suid.sh"].map((path) => modeOf(join(skills, "pdf", path)))).toEqual(["755", "750", "755"]);
});

describe("links", () => {
  test("that stay inside the skill are replaced by their targets", async () => {
    const { folder, skills, ref } = setUp({ "docs/a.md": "A" });
    symlinkSync("docs/a.md", join(folder, "relative.md"));
    symlinkSync(join(folder, "docs/a.md"), join(folder, "absolute.md"));
    symlinkSync("docs", join(folder, "folder"));
    await installSkills(skills, [ref]);
    for (const path of ["relative.md", "absolute.md", "folder/a.md"]) {
      expect(lstatSync(join(skills, "pdf", path)).isFile()).toBe(true);
      expect(readFileSync(join(skills, "pdf", path), "utf8")).toBe("A");
    }
    expect(lstatSync(join(skills, "pdf/folder")).isDirectory()).toBe(true);
  });

  test.each([
    ["out.md", "../../secret.txt", "leaves the skill"],
    ["sub/out.md", "../../../secret.txt", "leaves the skill"],
    ["sub/up", "../..", "leaves the skill"],
    ["broken", "nowhere", "is a broken link"],
    ["self", "self", "is a broken link"],
    ["sub/circle", "..", "links to a folder that contains it"],
  ])("%s -> %s is rejected by name", async (path, target, reason) => {
    const { root, folder, skills, ref } = setUp({ "sub/a.md": "" });
    symlinkSync(target, join(folder, path));
    const error = await refusal(installSkills(skills, [inline("notes"), ref]));
    expect(error).toMatchObject({ code: "skill-install-failed", skillName: "pdf", skillsDir: skills, source: "ref" });
    expect(error.message).toContain(`'${path}'`);
    expect(error.message).toContain(reason);
    expect(readdirSync(root).sort()).toEqual(["secret.txt", "source"]);
  });

  test("that lead out are copied with symlinks: 'follow', and circles are still refused", async () => {
    const { folder, skills, ref } = setUp();
    symlinkSync("../../secret.txt", join(folder, "out.md"));
    await installSkills(skills, [{ ...ref, symlinks: "follow" } as InstallItem]);
    expect(readFileSync(join(skills, "pdf/out.md"), "utf8")).toBe("secret");
    expect(lstatSync(join(skills, "pdf/out.md")).isFile()).toBe(true);
    symlinkSync("..", join(folder, "parent"));
    const error = await refusal(installSkills(`${skills}-2`, [{ ...ref, symlinks: "follow" } as InstallItem]));
    expect(error.message).toMatch(/'parent.*' links to a folder that contains it/);
  });

  test("to the skill's folder itself are followed, because the caller chose it", async () => {
    const { root, folder, skills } = setUp({ "a.md": "A" });
    symlinkSync(folder, join(root, "linked"));
    await installSkills(skills, [{ name: "pdf", source: "ref", folder: join(root, "linked") }]);
    expect(all(join(skills, "pdf"))).toEqual(["SKILL.md", "a.md"]);
  });
});

describe("what is neither a file nor a folder is refused:", () => {
  test("a pipe, and a link to one", async () => {
    const { folder, skills, ref } = setUp();
    execFileSync("mkfifo", [join(folder, "pipe")]);
    expect((await refusal(installSkills(skills, [ref]))).message).toContain("'pipe' is neither a file nor a folder");
    symlinkSync("pipe", join(folder, "a-link"));
    expect((await refusal(installSkills(skills, [ref]))).message).toContain("'a-link' is neither");
  });

  test("a socket", async () => {
    const { folder, skills, ref } = setUp();
    const server = createServer().listen(join(folder, "socket"));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    expect((await refusal(installSkills(skills, [ref]))).message).toContain("'socket' is neither a file nor a folder");
  });

  test("a device behind a link, even where links are followed", async () => {
    const { folder, skills, ref } = setUp();
    symlinkSync("/dev/zero", join(folder, "zero"));
    const error = await refusal(installSkills(skills, [{ ...ref, symlinks: "follow" } as InstallItem]));
    expect(error.message).toContain("'zero' is neither a file nor a folder");
  });
});

describe("sizes are those of the table:", () => {
  test("a file", async () => {
    const { folder, skills, ref } = setUp({ "large.bin": "" });
    truncateSync(join(folder, "large.bin"), LIMITS.hard.file);
    await installSkills(skills, [ref]);
    expect(lstatSync(join(skills, "pdf/large.bin")).size).toBe(LIMITS.hard.file);
    truncateSync(join(folder, "large.bin"), LIMITS.hard.file + 1);
    const error = await refusal(installSkills(`${skills}-2`, [ref]));
    expect(error.cause).toMatchObject({ code: "resource-too-large" });
  });

  test("a skill's bytes", async () => {
    const { folder, skills, ref } = setUp();
    for (let index = 0; index <= LIMITS.hard.skill / LIMITS.hard.file; index++) {
      writeFileSync(join(folder, `${index}.bin`), "");
      truncateSync(join(folder, `${index}.bin`), LIMITS.hard.file);
    }
    const error = await refusal(installSkills(skills, [ref]));
    expect(error.cause).toMatchObject({ code: "skill-too-large" });
    expect(readdirSync(join(skills, "../../..")).sort()).toEqual(["secret.txt", "source"]);
  });

  test("its files, its folders, and how deep they are", async () => {
    const { folder, skills, ref } = setUp();
    mkdirSync(join(folder, "many"));
    for (let index = 0; index < LIMITS.hard.filesInSkill; index++) writeFileSync(join(folder, `many/${index}`), "");
    expect((await refusal(installSkills(skills, [ref]))).message).toContain("more than 2000 files");
    const deep = setUp({ [`${"d/".repeat(LIMITS.hard.nesting + 1)}a.md`]: "" });
    expect((await refusal(installSkills(deep.skills, [deep.ref]))).message).toContain("nested more than 16 deep");
  });

  test("a SKILL.md", async () => {
    const { folder, skills, ref } = setUp();
    const content = "x".repeat(LIMITS.hard.skillMd + 1);
    writeFileSync(join(folder, "SKILL.md"), content);
    for (const item of [ref, { name: "pdf", source: "inline", content } as const])
      expect((await refusal(installSkills(skills, [item]))).cause).toMatchObject({ code: "skill-too-large" });
  });
});

describe("a name", () => {
  test.each(["", ".", "..", "../up", "a/b", "a\\b", ".hidden", "a\0b", "a\nb", "x".repeat(256)])(
    "such as %j cannot be a folder's",
    async (name) => {
      const { root, skills } = setUp();
      const error = await refusal(installSkills(skills, [inline("fine"), inline(name)]));
      expect(error).toMatchObject({ skillName: name, source: "inline" });
      expect(readdirSync(root).sort()).toEqual(["secret.txt", "source"]);
    },
  );

  test("can be used only once, within a call and between calls", async () => {
    const { skills, ref } = setUp();
    expect((await refusal(installSkills(skills, [ref, inline("pdf")]))).message).toContain("Two skills have this name");
    await installSkills(skills, [ref]);
    const error = await refusal(installSkills(skills, [inline("other"), inline("pdf")]));
    expect(error.message).toContain("already installed there");
    expect(error.cause).toMatchObject({ code: "skill-collision" });
    expect(readdirSync(skills)).toEqual(["pdf"]);
    expect(readFileSync(join(skills, "pdf/SKILL.md"), "utf8")).toBe(skillMd("pdf"));
  });

  test("is replaced with replace: true, and restored when the rest fails", async () => {
    const { root, skills, ref } = setUp();
    await installSkills(skills, [inline("pdf"), inline("kept")]);
    const missing: InstallItem = { name: "x", source: "ref", folder: join(root, "missing") };
    await refusal(installSkills(skills, [ref, missing], { replace: true }));
    expect(lstatSync(join(skills, "pdf/SKILL.md")).isFile()).toBe(true);
    const content = skillMd("pdf", "New.");
    await installSkills(skills, [{ name: "pdf", source: "inline", content }], { replace: true });
    expect(readFileSync(join(skills, "pdf/SKILL.md"), "utf8")).toBe(content);
    expect(readdirSync(skills).sort()).toEqual(["kept", "pdf"]);
    expect(readdirSync(join(skills, ".."))).toEqual(["skills"]);
  });
});

describe("a source that is not a skill is rejected:", () => {
  test.each([
    [
      "a folder that is not there",
      (root: string): InstallItem => ({ name: "x", source: "ref", folder: join(root, "no") }),
    ],
    ["a folder without a SKILL.md", (root: string): InstallItem => ({ name: "x", source: "ref", folder: root })],
    [
      "a file that is not there",
      (root: string): InstallItem => ({ name: "x", source: "ref", file: join(root, "no.md") }),
    ],
    ["a file that is a folder", (root: string): InstallItem => ({ name: "x", source: "ref", file: root })],
  ])("%s", async (_, item) => {
    const { root, skills } = setUp();
    const error = await refusal(installSkills(skills, [inline("fine"), item(join(root, "source"))]));
    expect(error).toMatchObject({ skillName: "x", source: "ref", skillsDir: skills });
    expect(error.cause).toBeInstanceOf(Error);
    expect(readdirSync(root).sort()).toEqual(["secret.txt", "source"]);
  });
});

test("a folder that cannot be written to, or made, is an error of its first skill", async () => {
  const { root } = setUp();
  const error = await refusal(installSkills(join(root, "secret.txt/skills"), [inline("notes")]));
  expect(error).toMatchObject({ skillName: "notes", source: "inline", skillsDir: join(root, "secret.txt/skills") });
  expect(error.cause).toMatchObject({ code: expect.stringMatching(/^E(?:NOTDIR|EXIST)$/) });
});

test("an empty list does nothing", async () => {
  const { root, skills } = setUp();
  expect(await installSkills(skills, [])).toEqual([]);
  expect(readdirSync(root).sort()).toEqual(["secret.txt", "source"]);
});

test("a signal stops it, before the start and in between, and nothing is left", async () => {
  const { root, folder, skills, ref } = setUp();
  await expect(installSkills(skills, [ref], { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: "AbortError",
  });
  for (let index = 0; index < 600; index++) writeFileSync(join(folder, `${index}.md`), "x");
  const controller = new AbortController();
  setImmediate(() => controller.abort(new Error("enough")));
  await expect(installSkills(skills, [ref], { signal: controller.signal })).rejects.toThrow("enough");
  expect(readdirSync(root).sort()).toEqual(["secret.txt", "source"]);
});

test("skills are installed into the target of a linked folder, and staged beside it", async () => {
  const { root, skills, ref } = setUp();
  mkdirSync(join(root, "shared/skills"), { recursive: true });
  mkdirSync(join(skills, ".."), { recursive: true });
  symlinkSync(join(root, "shared/skills"), skills);
  await installSkills(skills, [ref]);
  expect(all(join(root, "shared"))).toEqual(["skills", "skills/pdf", "skills/pdf/SKILL.md"]);
});

test("concurrent installations into a new folder do not disturb each other", async () => {
  const { skills } = setUp();
  const names = Array.from({ length: 8 }, (_, index) => `skill-${index}`);
  await Promise.all(names.map((name) => installSkills(skills, [inline(name)])));
  expect(readdirSync(skills).sort()).toEqual(names);
  const twice = await Promise.allSettled([
    installSkills(skills, [inline("one")]),
    installSkills(skills, [inline("one")]),
  ]);
  expect(twice.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("files are copied, never hard-linked", async () => {
  const { folder, skills, ref } = setUp({ "a.md": "A" });
  await installSkills(skills, [ref]);
  expect(lstatSync(join(skills, "pdf/a.md"))).toMatchObject({ nlink: 1 });
  writeFileSync(join(folder, "a.md"), "B");
  expect(readFileSync(join(skills, "pdf/a.md"), "utf8")).toBe("A");
});
