import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { createSkillset } from "../load/create-skillset.ts";
import { standardFolders } from "../load/sources.ts";
import { TrustStore } from "./trust.ts";

function project() {
  const root = temporaryFolder({
    "repo/.git/HEAD": "",
    "repo/.agents/skills/a/SKILL.md": skillMd("a"),
    "repo/.agents/skills/a/scripts/s.sh": "echo 1",
  });
  const trustStore = new TrustStore(join(root, "config/trust.json"));
  const folder = join(root, "repo/.agents/skills/a");
  const load = () =>
    createSkillset(standardFolders({ cwd: join(root, "repo"), home: join(root, "home"), bundled: false }), {
      trustStore,
    });
  return { root, trustStore, folder, load };
}

describe("project skills", () => {
  test("are locked until they are trusted: listed, but never enabled", async () => {
    const { load, folder, trustStore } = project();
    const locked = await load();
    expect(locked.names).toEqual([]);
    expect(locked.entries).toMatchObject([{ status: "locked", name: "a", reason: "not trusted yet" }]);
    expect(locked.problems).toContainEqual(
      expect.objectContaining({ code: "skill-locked", fix: expect.stringContaining("skillset trust") }),
    );
    expect(locked.catalog().text).toBe("");
    trustStore.trust([folder]);
    expect((await load()).names).toEqual(["a"]);
  });

  test.each([
    ["SKILL.md", skillMd("a", "Other.")],
    ["scripts/s.sh", "echo 2"],
    ["new.txt", "new"],
  ])("are locked again when %s changes", async (path, content) => {
    const { load, folder, trustStore } = project();
    trustStore.trust([folder]);
    writeFileSync(join(folder, path), content);
    expect((await load()).entries).toMatchObject([
      { status: "locked", reason: expect.stringContaining("changed since") },
    ]);
  });

  test("stay trusted when a file is touched without being changed", async () => {
    const { load, folder, trustStore } = project();
    trustStore.trust([folder]);
    writeFileSync(join(folder, "scripts/s.sh"), readFileSync(join(folder, "scripts/s.sh")));
    expect((await load()).names).toEqual(["a"]);
  });

  test("that are new in a trusted project are locked", async () => {
    const { root, load, folder, trustStore } = project();
    trustStore.trust([folder]);
    writeFiles(root, { "repo/.agents/skills/b/SKILL.md": skillMd("b") });
    expect((await load()).entries.map(({ name, status }) => [name, status])).toEqual([
      ["a", "enabled"],
      ["b", "locked"],
    ]);
  });

  test("that are links out of their folder are not followed", async () => {
    const { root, load } = project();
    writeFiles(root, { "elsewhere/x/SKILL.md": skillMd("x") });
    symlinkSync(join(root, "elsewhere/x"), join(root, "repo/.agents/skills/x"));
    const skills = await load();
    expect(skills.entries.map(({ name }) => name)).toEqual(["a"]);
    expect(skills.problems).toContainEqual(expect.objectContaining({ code: "link-outside" }));
  });
});

describe("attacks by a cloned repository", () => {
  test("content that hides in node_modules, in .git or deep down is part of what is trusted", async () => {
    for (const hidden of ["node_modules/s.md", ".git/s.md"]) {
      const { load, folder, trustStore } = project();
      rmSync(join(folder, "SKILL.md"));
      writeFiles(folder, { [hidden]: skillMd("a") });
      symlinkSync(hidden, join(folder, "SKILL.md"));
      trustStore.trust([folder]);
      expect((await load()).names).toEqual(["a"]);
      writeFiles(folder, { [hidden]: skillMd("a", "Evil.", "Evil body.") });
      expect((await load()).names).toEqual([]);
    }
    const { load, folder, trustStore } = project();
    writeFiles(folder, { [`${"d/".repeat(18)}x.md`]: "deep" });
    expect(() => trustStore.trust([folder])).toThrow("nested");
    expect((await load()).entries).toMatchObject([{ status: "locked", reason: expect.stringContaining("too large") }]);
  });

  test("a change after loading is noticed when the skill is used", async () => {
    const { load, folder, trustStore } = project();
    trustStore.trust([folder]);
    const a = (await load()).get("a");
    expect(await a?.instructions()).toBe("# a");
    writeFileSync(join(folder, "SKILL.md"), skillMd("a", "Evil.", "Evil body."));
    await expect(a?.instructions()).rejects.toMatchObject({ code: "skill-locked" });
    await expect(a?.files.read("scripts/s.sh")).rejects.toMatchObject({ code: "skill-locked" });
  });

  test("a skills folder that is a link to the user's own does not lock the user's skills", async () => {
    const root = temporaryFolder({ "repo/.git/HEAD": "", "home/.agents/skills/mine/SKILL.md": skillMd("mine") });
    writeFiles(root, { "repo/.agents/x": "" });
    symlinkSync(join(root, "home/.agents/skills"), join(root, "repo/.agents/skills"));
    const skills = await createSkillset(
      standardFolders({ cwd: join(root, "repo"), home: join(root, "home"), bundled: false }),
    );
    expect(skills.names).toEqual(["mine"]);
    expect(skills.problems).toContainEqual(expect.objectContaining({ code: "link-outside" }));
  });

  test("a skills folder that is a loop, or a file, does not affect other skills", async () => {
    for (const spoil of [(path: string) => symlinkSync("skills", path), (path: string) => writeFileSync(path, "x")]) {
      const root = temporaryFolder({
        "repo/.git/HEAD": "",
        "repo/.agents/x": "",
        "home/.agents/skills/mine/SKILL.md": skillMd("mine"),
      });
      spoil(join(root, "repo/.agents/skills"));
      const skills = await createSkillset(
        standardFolders({ cwd: join(root, "repo"), home: join(root, "home"), bundled: false }),
      );
      expect(skills.names).toEqual(["mine"]);
    }
  });

  test("a source that fails after it was trusted does not keep what was revoked", async () => {
    const { root, load, folder, trustStore } = project();
    trustStore.trust([folder]);
    const before = await load();
    expect(before.names).toEqual(["a"]);
    trustStore.revoke(join(root, "repo"));
    rmSync(join(root, "repo/.agents/skills"), { recursive: true });
    writeFileSync(join(root, "repo/.agents/skills"), "not a folder");
    expect((await before.reload()).skillset.names).toEqual([]);
  });

  test("unusual file names are part of the digest", async () => {
    const { load, folder, trustStore } = project();
    writeFiles(folder, { "c:x.md": "1", "a\\b.md": "2" });
    trustStore.trust([folder]);
    expect((await load()).names).toEqual(["a"]);
    writeFiles(folder, { "c:x.md": "changed" });
    expect((await load()).entries).toMatchObject([{ status: "locked" }]);
  });
});

test("a folder that the user lists is trusted, even if it is also in the project's scope", async () => {
  const { root, trustStore } = project();
  const places = standardFolders({ cwd: join(root, "repo"), home: join(root, "home"), bundled: false });
  const skills = await createSkillset([...places, join(root, "repo/.agents/skills")], { trustStore });
  expect(skills.names).toEqual(["a"]);
  expect(skills.entries.map(({ status }) => status)).toEqual(["enabled"]);
  expect(skills.problems.filter(({ code }) => code === "skill-locked")).toEqual([]);
  expect(
    (await createSkillset([{ path: join(root, "repo/.agents/skills"), scope: "project" }], { trustStore })).names,
  ).toEqual([]);
});

describe("the trust store", () => {
  test("removes revoked skills, and only those", () => {
    const { root, trustStore, folder } = project();
    const other = join(root, "other");
    writeFiles(other, { "SKILL.md": skillMd("other") });
    trustStore.trust([folder, other]);
    expect(trustStore.revoke(join(root, "repo"))).toEqual([folder]);
    expect([...trustStore.read().keys()]).toEqual([other]);
  });

  test("is readable only by its owner", () => {
    const { trustStore, folder } = project();
    trustStore.trust([folder]);
    expect(statSync(trustStore.path).mode & 0o777).toBe(0o600);
  });

  test("that is corrupt locks everything with a problem, instead of failing", async () => {
    const { load, folder, trustStore } = project();
    trustStore.trust([folder]);
    writeFileSync(trustStore.path, "{ broken");
    const skills = await load();
    expect(skills.entries).toMatchObject([{ status: "locked" }]);
    expect(skills.problems).toContainEqual(
      expect.objectContaining({
        severity: "warning",

        message: expect.stringContaining("corrupt"),
      }),
    );
    expect(() => trustStore.trust([folder])).toThrow("corrupt");
  });

  test.each([
    ["file", 0o666, "chmod go-w"],
    ["file", 0o660, "chmod go-w"],
    ["folder", 0o777, "chmod go-w"],
    ["folder", 0o770, "chmod go-w"],
  ])("whose %s others can write to (%o) is not used, and says what to do", async (what, mode, fix) => {
    const { load, folder, trustStore } = project();
    trustStore.trust([folder]);
    chmodSync(what === "file" ? trustStore.path : dirname(trustStore.path), mode);
    const skills = await load();
    expect(skills.entries).toMatchObject([{ status: "locked" }]);
    expect(skills.problems).toContainEqual(expect.objectContaining({ message: expect.stringContaining(fix) }));
    expect(() => trustStore.trust([folder])).toThrow("Other users can write");
    expect(() => trustStore.revoke(folder)).toThrow("Other users can write");
  });

  test("that does not exist yet is not created in a folder that others can write to, unless it is sticky", () => {
    const { root, folder } = project();
    mkdirSync(join(root, "open"));
    chmodSync(join(root, "open"), 0o777);
    const store = new TrustStore(join(root, "open/trust.json"));
    expect(() => store.trust([folder])).toThrow("Other users can write");
    chmodSync(join(root, "open"), 0o1777);
    store.trust([folder]);
    expect([...store.read().keys()]).toEqual([folder]);
  });

  test.skipIf(process.getuid?.() !== 0)("that belongs to another user is not used", async () => {
    const { load, folder, trustStore } = project();
    trustStore.trust([folder]);
    chownSync(trustStore.path, 65_534, 65_534);
    const skills = await load();
    expect(skills.entries).toMatchObject([{ status: "locked" }]);
    expect(skills.problems).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("belongs to another user") }),
    );
  });
});

test("a relative config folder is rejected, so that no project can provide its own trust, and only locks", async () => {
  vi.stubEnv("SKILLSET_CONFIG_HOME", "relative");
  vi.stubEnv("XDG_CONFIG_HOME", "also-relative");
  vi.stubEnv("HOME", "");
  try {
    expect(() => new TrustStore()).toThrow("absolute path");
    const { root } = project();
    writeFiles(root, { "home/.agents/skills/mine/SKILL.md": skillMd("mine") });
    const places = standardFolders({ cwd: join(root, "repo"), home: join(root, "home"), bundled: false });
    const skills = await createSkillset(places);
    expect(skills.entries.map(({ name, status }) => [name, status])).toEqual([
      ["a", "locked"],
      ["mine", "enabled"],
    ]);
  } finally {
    vi.unstubAllEnvs();
  }
});
