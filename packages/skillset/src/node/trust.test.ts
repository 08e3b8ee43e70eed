import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../test/temporary-folder.ts";
import { createSkillset } from "./create-skillset.ts";
import { scopes } from "./sources.ts";
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
    createSkillset(scopes({ cwd: join(root, "repo"), home: join(root, "home"), bundled: false }), { trustStore });
  return { root, trustStore, folder, load };
}

describe("project skills", () => {
  test("are locked until they are trusted: listed, but never on offer", async () => {
    const { load, folder, trustStore } = project();
    const locked = await load();
    expect(locked.names).toEqual([]);
    expect(locked.entries).toMatchObject([
      { status: "locked", name: "a", reason: expect.stringContaining("skillset trust") },
    ]);
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

describe("the trust store", () => {
  test("forgets what is revoked, and only that", () => {
    const { root, trustStore, folder } = project();
    const other = join(root, "other");
    mkdirSync(other);
    trustStore.trust([folder, other]);
    expect(trustStore.revoke(join(root, "repo"))).toEqual([folder]);
    expect([...trustStore.read().keys()]).toEqual([other]);
  });

  test("is readable by its owner alone", () => {
    const { trustStore, folder } = project();
    trustStore.trust([folder]);
    expect(statSync(trustStore.path).mode & 0o777).toBe(0o600);
  });

  test("that is damaged locks everything and says so, instead of failing", async () => {
    const { load, folder, trustStore } = project();
    trustStore.trust([folder]);
    writeFileSync(trustStore.path, "{ broken");
    const skills = await load();
    expect(skills.entries).toMatchObject([{ status: "locked" }]);
    expect(skills.problems).toContainEqual(
      expect.objectContaining({
        severity: "warning",
        path: trustStore.path,
        message: expect.stringContaining("damaged"),
      }),
    );
    expect(() => trustStore.trust([folder])).toThrow("damaged");
  });
});
