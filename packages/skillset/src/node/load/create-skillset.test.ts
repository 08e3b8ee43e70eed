import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { asOrdinaryUser } from "../../../../../test/as-ordinary-user.ts";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { defineSkill } from "../../core/skill/define-skill.ts";
import type { StoredSkill } from "../../core/skill/skill.ts";
import { createSkillset } from "./create-skillset.ts";

const names = async (...parameters: Parameters<typeof createSkillset>) => (await createSkillset(...parameters)).names;

describe("a path", () => {
  test("to a folder loads the skills in its immediate children, sorted", async () => {
    const root = temporaryFolder({
      "b/SKILL.md": skillMd("b"),
      "a/SKILL.md": skillMd("a"),
      "deep/er/SKILL.md": skillMd("er"),
      "file.md": "x",
    });
    expect(await names([root])).toEqual(["a", "b"]);
  });

  test("to a folder reports problems in the order of its entries, links last", async () => {
    const root = temporaryFolder({
      "a/skill.md": skillMd("a"),
      "b/SKILL.md": "x",
      "c/skill.md": skillMd("c"),
      "f/skill.md": "# The specification of a skill",
      "d/SKILL.md": skillMd("d"),
    });
    symlinkSync("nowhere", join(root, "broken"));
    symlinkSync("d", join(root, "e"));
    const { names: found, problems } = await createSkillset([root]);
    expect(found).toEqual(["d"]);
    const codes = ["skill-md-misnamed", "frontmatter-missing", "skill-md-misnamed", "link-broken"];
    expect(problems.map(({ code }) => code)).toEqual(codes);
  });

  test("to a folder finds a skill that a link leads to, and does not look into links for more", async () => {
    const elsewhere = temporaryFolder({ "a/SKILL.md": skillMd("a"), "folder/b/SKILL.md": skillMd("b") });
    const root = temporaryFolder({ "inner/c/SKILL.md": skillMd("c") });
    symlinkSync(join(elsewhere, "a"), join(root, "a"));
    symlinkSync(join(elsewhere, "folder"), join(root, "folder"));
    expect(await names([root], { recursive: true })).toEqual(["a", "c"]);
  });

  test("to a folder with many links to one skill finds it once, however many there are", async () => {
    const root = temporaryFolder({ "a/SKILL.md": skillMd("a") });
    for (let link = 0; link < 200; link++) symlinkSync("a", join(root, `link-${link}`));
    const { entries, problems } = await createSkillset([root]);
    expect(entries.map(({ name }) => name)).toEqual(["a"]);
    expect(problems).toEqual([]);
  });

  test("to a skill's folder, or to its SKILL.md, loads that skill", async () => {
    const root = temporaryFolder({ "a/SKILL.md": skillMd("a"), "a/inner/SKILL.md": skillMd("inner") });
    expect(await names([join(root, "a")])).toEqual(["a"]);
    expect(await names(join(root, "a/SKILL.md"))).toEqual(["a"]);
  });

  test("is resolved against cwd", async () => {
    const root = temporaryFolder({ "skills/a/SKILL.md": skillMd("a") });
    expect(await names(["./skills"], { cwd: root })).toEqual(["a"]);
  });

  test("that does not exist is an error that names it", async () => {
    await expect(createSkillset(["/no/such/place"])).rejects.toMatchObject({
      code: "source-not-found",
      message: expect.stringContaining("/no/such/place"),
    });
  });

  test("to another kind of file is an error", async () => {
    const root = temporaryFolder({ "README.md": "x" });
    await expect(createSkillset([join(root, "README.md")])).rejects.toThrow("neither a folder nor a SKILL.md");
  });

  test("may be a glob over folders or SKILL.md files", async () => {
    const root = temporaryFolder({
      "p/one/skills/a/SKILL.md": skillMd("a"),
      "p/two/skills/b/SKILL.md": skillMd("b"),
      "p/two/other/c/SKILL.md": skillMd("c"),
    });
    expect(await names(["p/*/skills"], { cwd: root })).toEqual(["a", "b"]);
    expect(await names(["p/**/SKILL.md"], { cwd: root })).toEqual(["a", "c", "b"]);
    await expect(createSkillset(["q/*"], { cwd: root })).rejects.toThrow("No folder matches 'q/*'");
  });

  test("is searched deeper on request, never below a SKILL.md, and not in node_modules or .git", async () => {
    const root = temporaryFolder({
      "a/SKILL.md": skillMd("a"),
      "a/sub/SKILL.md": skillMd("sub"),
      "x/y/b/SKILL.md": skillMd("b"),
      "node_modules/c/SKILL.md": skillMd("c"),
      ".git/d/SKILL.md": skillMd("d"),
    });
    expect(await names([root], { recursive: true })).toEqual(["a", "b"]);
    expect(await names([root], { recursive: 2 })).toEqual(["a"]);
  });
});

describe("a source", () => {
  test("may be a skill in code or another skillset, mixed with folders", async () => {
    const root = temporaryFolder({ "a/SKILL.md": skillMd("a") });
    const inner = await createSkillset([root]);
    const code = defineSkill({ name: "code", description: "In code.", body: "x" });
    expect(await names([code, inner])).toEqual(["code", "a"]);
  });

  test("that is neither is rejected with a readable error", async () => {
    await expect(createSkillset([{} as never])).rejects.toThrow(
      "A source must be a path, a skill, a skillset or a SkillSource, not an object.",
    );
  });

  test.each([new URL("https://example.com/skills"), "https://example.com/skills", "git+ssh://example.com/x.git"])(
    "that is an address on the network is refused, with what is supported: %s",
    async (address) => {
      await expect(createSkillset([address])).rejects.toMatchObject({
        code: "option-invalid",
        message: expect.stringContaining("is not a path or a file: URL. Clone a repository first."),
      });
    },
  );

  test("that is optional and missing is a warning, once", async () => {
    const { problems } = await createSkillset([{ path: "/no/such", optional: true }]);
    expect(problems).toEqual([
      expect.objectContaining({
        code: "source-missing",
        severity: "warning",
        message: expect.stringContaining("/no/such"),
      }),
    ]);
  });

  test("that comes earlier wins", async () => {
    const root = temporaryFolder({
      "one/a/SKILL.md": skillMd("a", "First."),
      "two/a/SKILL.md": skillMd("a", "Second."),
    });
    const skills = await createSkillset(["one", "two"], { cwd: root });
    expect(skills.get("a")?.description).toBe("First.");
    expect(skills.collisions).toMatchObject([
      { name: "a", winner: { basePath: join(root, "one/a") }, losers: [{ basePath: join(root, "two/a") }] },
    ]);
  });
});

test("a folder without any skill is reported, and so is a misnamed SKILL.md in it", async () => {
  const { problems } = await createSkillset([temporaryFolder({ "skill.md": skillMd("a") })]);
  expect(problems.map(({ code }) => code)).toEqual(["skill-md-misnamed", "source-empty"]);
});

describe("a broken skill never affects the others", () => {
  test("it is an entry with the reason, and a problem with file and line", async () => {
    const root = temporaryFolder({ "a/SKILL.md": skillMd("a"), "b/SKILL.md": "---\nname: b\n---\n" });
    const skills = await createSkillset([root]);
    expect(skills.names).toEqual(["a"]);
    expect(skills.entries[1]).toMatchObject({
      status: "invalid",
      name: "b",
      reason: "The frontmatter has no 'description'.",
    });
    expect(skills.problems).toEqual([
      expect.objectContaining({
        code: "description-missing",
        severity: "error",
        path: join(root, "b/SKILL.md"),
        line: 2,
      }),
    ]);
  });

  test("only the exact name SKILL.md counts, and another spelling is reported", async () => {
    const root = temporaryFolder({ "a/skill.md": skillMd("a"), "b/Skill.md": skillMd("b"), "c/notes.md": "x" });
    const skills = await createSkillset([root]);
    expect(skills.size).toBe(0);
    expect(skills.problems.map(({ code, fix }) => [code, fix])).toEqual([
      ["skill-md-misnamed", "Rename 'skill.md' to 'SKILL.md'."],
      ["skill-md-misnamed", "Rename 'Skill.md' to 'SKILL.md'."],
      ["source-empty", expect.stringContaining("--recursive")],
    ]);
  });

  test("an unreadable file is a problem, and so is an unreadable folder", async () => {
    const root = temporaryFolder({
      "a/SKILL.md": skillMd("a"),
      "b/SKILL.md": skillMd("b"),
      "c/SKILL.md": skillMd("c"),
    });
    chmodSync(root, 0o755);
    chmodSync(join(root, "a/SKILL.md"), 0);
    chmodSync(join(root, "b"), 0);
    const skills = await asOrdinaryUser(() => createSkillset([root]));
    chmodSync(join(root, "b"), 0o755);
    expect(skills.names).toEqual(["c"]);
    expect(skills.problems.map(({ code, severity }) => [code, severity])).toEqual([
      ["skill-md-unreadable", "error"],
      ["skill-md-unreadable", "error"],
    ]);
  });
});

describe("a stored skill", () => {
  const root = () => temporaryFolder({ "a/SKILL.md": skillMd("a"), "a/references/r.md": "R", "a/scripts/s.sh": "S" });
  const load = async (folder: string) => (await createSkillset([folder])).get("a") as StoredSkill;

  test("records the absolute path of its folder", async () => {
    const folder = root();
    expect((await load(folder)).basePath).toBe(join(folder, "a"));
  });

  test("reads bodies, files and digests only when asked", async () => {
    const folder = root();
    const a = await load(folder);
    writeFileSync(join(folder, "a/SKILL.md"), skillMd("a", "d", "Changed after loading."));
    writeFileSync(join(folder, "a/references/r.md"), "Changed too.");
    expect(await a.instructions()).toBe("Changed after loading.");
    expect(new TextDecoder().decode(await a.files.read("references/r.md"))).toBe("Changed too.");
    expect((await a.files.list()).map(({ path }) => path)).toEqual([
      "SKILL.md",
      "references",
      "references/r.md",
      "scripts",
      "scripts/s.sh",
    ]);
    expect((await a.files.list("references")).map(({ path }) => path)).toEqual(["references/r.md"]);
  });

  test("holds nothing of the body after discovery", async () => {
    const folder = temporaryFolder({ "a/SKILL.md": skillMd("a", "d", "SECRET-BODY") });
    expect(JSON.stringify(await load(folder))).not.toContain("SECRET-BODY");
  });

  test("has a digest over all its files", async () => {
    const folder = root();
    const a = await load(folder);
    const digest = await a.digest();
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    writeFileSync(join(folder, "a/scripts/s.sh"), "T");
    expect(await a.digest()).not.toBe(digest);
  });
});

describe("links", () => {
  test("a skill folder that is a link directly in a given folder is followed, and its real place is its root", async () => {
    const root = temporaryFolder({ "real/a/SKILL.md": skillMd("a"), "skills/b/SKILL.md": skillMd("b") });
    symlinkSync("../real/a", join(root, "skills/a"));
    const skills = await createSkillset([join(root, "skills")]);
    expect(skills.names).toEqual(["b", "a"]);
    expect((skills.get("a") as StoredSkill).basePath).toBe(join(root, "real/a"));
  });

  test("a link to a folder deeper down is never followed", async () => {
    const root = temporaryFolder({ "elsewhere/a/SKILL.md": skillMd("a"), "skills/group/b/SKILL.md": skillMd("b") });
    symlinkSync("../../elsewhere/a", join(root, "skills/group/a"));
    expect(await names([join(root, "skills")], { recursive: true })).toEqual(["b"]);
  });

  test("the same place seen twice is one skill", async () => {
    const root = temporaryFolder({ "one/a/SKILL.md": skillMd("a") });
    mkdirSync(join(root, "two"));
    symlinkSync("../one/a", join(root, "two/a"));
    const skills = await createSkillset(["one", "two", "one"], { cwd: root });
    expect(skills.entries).toHaveLength(1);
    expect(skills.collisions).toEqual([]);
  });

  test("a SKILL.md that is a link out of its folder is never read", async () => {
    const root = temporaryFolder({ "outside.md": skillMd("a"), "skills/b/SKILL.md": skillMd("b") });
    mkdirSync(join(root, "skills/a"));
    symlinkSync("../../outside.md", join(root, "skills/a/SKILL.md"));
    const skills = await createSkillset([join(root, "skills")]);
    expect(skills.names).toEqual(["b"]);
    expect(skills.problems).toEqual([expect.objectContaining({ code: "link-outside", severity: "error" })]);
  });

  test("a SKILL.md that is a link within its folder is read", async () => {
    const root = temporaryFolder({ "a/docs/main.md": skillMd("a") });
    symlinkSync("docs/main.md", join(root, "a/SKILL.md"));
    expect(await names([root])).toEqual(["a"]);
  });
});

describe("reload", () => {
  test("returns a new set and the changes, and leaves the old set unchanged", async () => {
    const root = temporaryFolder({
      "a/SKILL.md": skillMd("a"),
      "b/SKILL.md": skillMd("b"),
      "c/SKILL.md": skillMd("c"),
    });
    const before = await createSkillset([root]);
    rmSync(join(root, "a"), { recursive: true });
    writeFiles(root, { "b/SKILL.md": skillMd("b", "Changed."), "d/SKILL.md": skillMd("d") });
    const { skillset, changes } = await before.reload();
    expect(changes).toEqual({ added: ["d"], removed: ["a"], changed: ["b"] });
    expect(skillset.names).toEqual(["b", "c", "d"]);
    expect(before.names).toEqual(["a", "b", "c"]);
    expect(skillset.get("c")).toBe(before.get("c"));
    expect(skillset.fingerprint).not.toBe(before.fingerprint);
  });

  test("notices a file that was replaced with its old size and time", async () => {
    const root = temporaryFolder({ "a/SKILL.md": skillMd("a", "One.") });
    const time = new Date(1_700_000_000_000);
    utimesSync(join(root, "a/SKILL.md"), time, time);
    const before = await createSkillset([root]);
    writeFileSync(join(root, "new.md"), skillMd("a", "Two."));
    utimesSync(join(root, "new.md"), time, time);
    renameSync(join(root, "new.md"), join(root, "a/SKILL.md"));
    expect((await before.reload()).changes.changed).toEqual(["a"]);
  });

  test("keeps the last good state of a source that fails, with a problem", async () => {
    const root = temporaryFolder({ "one/a/SKILL.md": skillMd("a"), "two/b/SKILL.md": skillMd("b") });
    const before = await createSkillset(["one", "two"], { cwd: root });
    renameSync(join(root, "one"), join(root, "gone"));
    const { skillset } = await before.reload();
    expect(skillset.names).toEqual(["a", "b"]);
    expect(skillset.problems).toEqual([expect.objectContaining({ code: "source-kept", severity: "warning" })]);
    renameSync(join(root, "gone"), join(root, "one"));
    expect((await skillset.reload()).skillset.problems).toEqual([]);
  });

  test("of a filtered set filters again", async () => {
    const root = temporaryFolder({ "a/SKILL.md": skillMd("a"), "b/SKILL.md": skillMd("b") });
    const only = (await createSkillset([root])).filter({ disabled: ["b", "c"] });
    writeFiles(root, { "c/SKILL.md": skillMd("c"), "d/SKILL.md": skillMd("d") });
    expect((await only.reload()).skillset.names).toEqual(["a", "d"]);
  });
});

describe("loading", () => {
  test("stops when it is aborted", async () => {
    const root = temporaryFolder({ "a/SKILL.md": skillMd("a") });
    await expect(createSkillset([root], { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });

  test("reports its progress, and lets other work run", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [`s${index}/SKILL.md`, skillMd(`s${index}`)]),
    );
    const root = temporaryFolder(files);
    const onProgress = vi.fn();
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const skills = await createSkillset([root], { onProgress });
    clearInterval(timer);
    expect(skills.size).toBe(3_000);
    expect(onProgress).toHaveBeenCalled();
    expect(ticks).toBeGreaterThan(0);
  });

  test("returns the same catalog text for the same tree", async () => {
    const root = temporaryFolder({
      "b/SKILL.md": skillMd("b"),
      "a/SKILL.md": skillMd("a"),
      "c/SKILL.md": skillMd("c"),
    });
    const [one, two] = await Promise.all([createSkillset([root]), createSkillset([root])]);
    expect(one.catalog().text).toBe(two.catalog().text);
    expect(one.fingerprint).toBe(two.fingerprint);
  });

  test("a skill with disable-model-invocation is loaded, but not in the catalog", async () => {
    const root = temporaryFolder({
      "a/SKILL.md": "---\nname: a\ndescription: D\ndisable-model-invocation: true\n---\n",
      "b/SKILL.md": skillMd("b"),
    });
    const skills = await createSkillset([root]);
    expect(skills.has("a")).toBe(true);
    expect(skills.catalog({ format: "names" }).text).toBe("- b");
  });
});

describe("the same skill", () => {
  test("listed twice, in any way, is loaded once", async () => {
    const root = temporaryFolder({ "a/SKILL.md": skillMd("a") });
    const code = defineSkill({ name: "code", description: "In code.", body: "x" });
    const set = await createSkillset([root]);
    for (const sources of [
      [code, code, root, root],
      [set, set, code],
      [set, root, code],
      [root, join(root, "a"), code],
    ]) {
      const skills = await createSkillset(sources);
      expect([...skills.names].sort()).toEqual(["a", "code"]);
      expect(skills.entries).toHaveLength(2);
      expect(skills.problems).toEqual([]);
    }
  });

  test("under a link beside its folder keeps the folder's name", async () => {
    const root = temporaryFolder({ "real/SKILL.md": skillMd("real") });
    symlinkSync("real", join(root, "aaa"));
    const skills = await createSkillset([root], { policy: "strict" });
    expect(skills.names).toEqual(["real"]);
    expect(skills.problems).toEqual([]);
  });
});

describe("a set among the sources", () => {
  test("keeps its disabled skills, which still shadow others", async () => {
    const root = temporaryFolder({ "one/a/SKILL.md": skillMd("a", "One."), "two/a/SKILL.md": skillMd("a", "Two.") });
    const base = await createSkillset([join(root, "one")], { disabled: ["a"] });
    const merged = await createSkillset([base, join(root, "two")]);
    expect(merged.names).toEqual([]);
    expect(merged.entries.map(({ status }) => status)).toEqual(["disabled", "shadowed"]);
  });

  test("is reloaded with the whole", async () => {
    const root = temporaryFolder({ "a/SKILL.md": skillMd("a") });
    const outer = await createSkillset([await createSkillset([root])]);
    writeFiles(root, { "b/SKILL.md": skillMd("b") });
    const { skillset } = await outer.reload();
    expect(skillset.names).toEqual(["a", "b"]);
  });
});

describe("a pattern", () => {
  test("finds more skills than the limit of other folders, and reports when it stops", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 2_100 }, (_, index) => [`s${index}/SKILL.md`, skillMd(`s${index}`)]),
    );
    const root = temporaryFolder(many);
    expect((await createSkillset(["*/SKILL.md"], { cwd: root })).size).toBe(2_100);
    const empty = temporaryFolder(
      Object.fromEntries(Array.from({ length: 2_100 }, (_, index) => [`e${index}/x/y`, ""])),
    );
    writeFiles(empty, { "a/SKILL.md": skillMd("a") });
    const { problems } = await createSkillset(["**/SKILL.md"], { cwd: empty });
    expect(problems).toContainEqual(expect.objectContaining({ code: "scan-limit" }));
  });

  test("skips anything that is not a skill, and follows links", async () => {
    const root = temporaryFolder({ "p/a/SKILL.md": skillMd("a"), "p/file": "", "q/b/skills/b/SKILL.md": skillMd("b") });
    symlinkSync("nowhere", join(root, "p/broken"));
    symlinkSync("b", join(root, "q/link"));
    expect(await names(["p/*"], { cwd: root })).toEqual(["a"]);
    expect(await names(["q/*/skills"], { cwd: root })).toEqual(["b"]);
    expect(await names(["**"], { cwd: root })).toEqual(expect.arrayContaining(["a", "b"]));
  });

  test.each(["wow!", "{x}", "[ab]", "a*b"])("is not recognized in a folder that is actually named %s", async (name) => {
    const root = temporaryFolder({ [`${name}/skills/a/SKILL.md`]: skillMd("a") });
    expect(await names(["skills"], { cwd: join(root, name) })).toEqual(["a"]);
    expect(await names([join(root, name, "skills")])).toEqual(["a"]);
  });
});

describe("an invalid option is rejected with a readable error", () => {
  test.each([
    [{ policy: "strct" }, "'policy' must be 'lenient' or"],
    [{ collisions: "x" }, "'collisions' must be"],
    [{ unknownFields: "zzz" }, "'unknownFields' must be"],
    [{ maxSkills: -1 }, "'maxSkills' must be a non-negative integer"],
    [{ maxSkills: Number.NaN }, "'maxSkills' must be a non-negative integer"],
    [{ enabled: "pdf" }, `'enabled' must be an array of names and patterns, not "pdf".`],
    [{ disabled: [7] }, "'disabled' must be an array of names and patterns, not [7]."],
    [{ recursive: "yes" }, `'recursive' must be true, false or a number of levels from 1, not "yes".`],
    [{ recursive: -3 }, "not -3."],
    [{ recursive: 1.5 }, "not 1.5."],
  ])("%o", async (options, message) => {
    await expect(createSkillset([], options as never)).rejects.toMatchObject({
      code: "option-invalid",
      message: expect.stringContaining(message),
    });
  });

  test.each([
    [null, "null"],
    [undefined, "undefined"],
    [7, "number"],
  ])("%s is no source", async (source, named) => {
    await expect(createSkillset([source as never])).rejects.toMatchObject({
      code: "option-invalid",
      message: expect.stringMatching(`^A source must be a path, a skill, a skillset or a SkillSource, not .*${named}`),
    });
  });

  test("a file URL is a source like its path", async () => {
    const root = temporaryFolder({ "a/SKILL.md": skillMd("a") });
    expect(await names([pathToFileURL(root)])).toEqual(["a"]);
  });
});

test("a closing line at the end of the first read counts only if it is complete", async () => {
  const fields = (padding: number) => `---\nname: a\ndescription: ${"d".repeat(padding)}\n---x: y\nlicense: MIT\n---\n`;
  for (let padding = 1_990; padding < 2_030; padding++) {
    const root = temporaryFolder({ "a/SKILL.md": fields(padding) });
    const { problems } = await createSkillset([root]);
    expect(problems.some(({ code }) => code === "frontmatter-repaired" || code === "field-unknown")).toBe(true);
  }
});

test("a SKILL.md that is a link is read again when its target changes", async () => {
  const root = temporaryFolder({ "a/docs/main.md": skillMd("a", "One.") });
  symlinkSync("docs/main.md", join(root, "a/SKILL.md"));
  const before = await createSkillset([root]);
  writeFiles(root, { "a/docs/main.md": skillMd("a", "Two, longer.") });
  expect((await before.reload()).changes.changed).toEqual(["a"]);
});

test("an option that does not exist is refused by name", async () => {
  await expect(createSkillset([], { enable: ["tea"] } as never)).rejects.toThrow(
    "createSkillset() has no option 'enable'. Did you mean 'enabled'?",
  );
});
