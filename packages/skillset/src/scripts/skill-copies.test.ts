import { lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { defineSkill } from "../core/skill/define-skill.ts";
import type { Skill } from "../core/skill/skill.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { SkillCopies } from "./skill-copies.ts";

const { signal } = new AbortController();

async function storedSkill(): Promise<{ folder: string; skill: Skill }> {
  const root = temporaryFolder({ "tea/SKILL.md": skillMd("tea"), "tea/scripts/brew.sh": "echo tea\n" });
  const skill = (await createSkillset([root])).get("tea");
  if (skill === undefined) throw new Error("no skill");
  return { folder: join(root, "tea"), skill };
}

test("a version is copied once, read-only and executable, whatever the umask", async () => {
  const umask = process.umask(0o077);
  try {
    const copies = new SkillCopies();
    const { skill } = await storedSkill();
    const [a, b] = await Promise.all([copies.of(skill, signal), copies.of(skill, signal)]);
    expect(a.folder).toBe(b.folder);
    expect(a.digest).toBe(await skill.digest());
    for (const path of [".", "scripts", "scripts/brew.sh"])
      expect(statSync(join(a.folder, path)).mode & 0o777).toBe(0o555);
  } finally {
    process.umask(umask);
  }
});

test("links are copied as files", async () => {
  const { folder, skill } = await storedSkill();
  symlinkSync("brew.sh", join(folder, "scripts/alias.sh"));
  const copy = await new SkillCopies().of(skill, signal);
  const path = join(copy.folder, "scripts/alias.sh");
  expect([lstatSync(path).isFile(), readFileSync(path, "utf8")]).toEqual([true, "echo tea\n"]);
});

test("a new version gets a new copy, and the old one is removed when no script uses it", async () => {
  const copies = new SkillCopies();
  const { folder, skill } = await storedSkill();
  const first = await copies.of(skill, signal);
  writeFileSync(join(folder, "scripts/brew.sh"), "echo coffee\n");
  const second = await copies.of(skill, signal);
  expect(readFileSync(join(first.folder, "scripts/brew.sh"), "utf8")).toBe("echo tea\n");
  expect(readFileSync(join(second.folder, "scripts/brew.sh"), "utf8")).toBe("echo coffee\n");
  first.release();
  second.release();
  writeFileSync(join(folder, "scripts/brew.sh"), "echo water\n");
  await copies.of(skill, signal);
  await expect.poll(() => lstatSync(first.folder, { throwIfNoEntry: false })).toBeUndefined();
});

test("a copy that the system removed is made again", async () => {
  const copies = new SkillCopies();
  const { skill } = await storedSkill();
  const { folder } = await copies.of(skill, signal);
  rmSync(dirname(folder), { recursive: true });
  const again = await copies.of(skill, signal);
  expect(readFileSync(join(again.folder, "scripts/brew.sh"), "utf8")).toBe("echo tea\n");
});

test("a skill that changes between its digest and its copy is refused", async () => {
  const { folder, skill } = await storedSkill();
  const changing: Skill = Object.create(skill, {
    digest: {
      value: async () => {
        const digest = await skill.digest();
        writeFileSync(join(folder, "scripts/brew.sh"), "echo poison\n");
        return digest;
      },
    },
  });
  await expect(new SkillCopies().of(changing, signal)).rejects.toMatchObject({ code: "script-refused" });
});

test("a skill that changes and changes back while it is copied is refused, and can be copied later", async () => {
  const copies = new SkillCopies();
  const { folder, skill } = await storedSkill();
  const script = join(folder, "scripts/brew.sh");
  const changing: Skill = Object.create(skill, {
    files: {
      value: {
        list: () => skill.files.list(),
        read: async (path: string) => {
          writeFileSync(script, "echo poison\n");
          const bytes = await skill.files.read(path);
          writeFileSync(script, "echo tea\n");
          return bytes;
        },
      },
    },
  });
  await expect(copies.of(changing, signal)).rejects.toMatchObject({ code: "script-refused" });
  expect(readFileSync(join((await copies.of(skill, signal)).folder, "scripts/brew.sh"), "utf8")).toBe("echo tea\n");
});

test("a skill in code is copied too", async () => {
  const skill = defineSkill({
    name: "code",
    description: "In code.",
    body: "# Code",
    files: { "scripts/run.sh": "echo code\n" },
  });
  const { folder } = await new SkillCopies().of(skill, signal);
  expect(readFileSync(join(folder, "scripts/run.sh"), "utf8")).toBe("echo code\n");
});

test("a file that a source lists outside of the skill is not written", async () => {
  const { skill } = await storedSkill();
  const escaping: Skill = Object.create(skill, {
    files: {
      value: {
        list: async () => [{ path: "../escaped.sh", kind: "file", size: 1 }],
        read: async () => new Uint8Array([1]),
      },
    },
  });
  await expect(new SkillCopies().of(escaping, signal)).rejects.toMatchObject({ code: "resource-outside-skill" });
});
