import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineSkill } from "../../core/skill/define-skill.ts";
import type { Skill } from "../../core/skill/skill.ts";
import { restoreSkill, snapshotSkill } from "../../core/skill/skill-snapshot.ts";
import { createSkillset } from "../load/create-skillset.ts";

const SKILL_MD = `\ufeff---
name: pdf
description: 'Fills in <PDF> forms: and "more".'
license: MIT
compatibility: Needs Python.
allowed-tools: Read Bash(python:*)
arguments: [file]
argument-hint: FILE
disable-model-invocation: false
metadata: { version: "1.2.0", __proto__: odd }
nested: { list: [1, true, null], text: yes }
---

Read references/forms.md.\r
`;

async function loadPdf(): Promise<Skill> {
  const folder = join(mkdtempSync(join(tmpdir(), "snapshot-")), "pdf");
  mkdirSync(join(folder, "references"), { recursive: true });
  mkdirSync(join(folder, "empty"));
  writeFileSync(join(folder, "SKILL.md"), SKILL_MD);
  writeFileSync(join(folder, "references/forms.md"), "Forms.");
  writeFileSync(join(folder, "logo.png"), Uint8Array.of(0x89, 0x50, 0xff, 0));
  writeFileSync(join(folder, ".env"), "SECRET=1");
  symlinkSync("references/forms.md", join(folder, "link.md"));
  const { skills } = await createSkillset([folder], { onProblem: () => {} });
  return skills[0] as Skill;
}

async function restored(skill: Skill): Promise<Skill> {
  return restoreSkill(JSON.parse(JSON.stringify(await snapshotSkill(skill))), (path) => skill.files.read(path));
}

test("a restored skill has the frontmatter, instructions, files and digest of the folder", async () => {
  const skill = await loadPdf();
  const copy = await restored(skill);
  const fields = ({ origin: _origin, ...rest }: Skill) => ({ ...rest, files: undefined, stamp: undefined });
  expect(fields(copy)).toEqual({ ...fields(skill), location: skill.location, isTrusted: true });
  expect(await copy.instructions()).toBe(await skill.instructions());
  expect(await copy.digest()).toBe(await skill.digest());
  const paths = async ({ files }: Skill) => (await files.list()).map(({ path, kind, size }) => [path, kind, size]);
  expect(await paths(copy)).toEqual(await paths(skill));
  expect((await paths(copy)).map(([path]) => path)).toContain("link.md");
  for (const [path, kind] of await paths(copy))
    if (kind === "file")
      expect([...(await copy.files.read(path as string))]).toEqual([...(await skill.files.read(path as string))]);
});

test("a restored skill has the same catalog and activation as the folder", async () => {
  const skill = await loadPdf();
  const [folder, copy] = await Promise.all([createSkillset([skill]), createSkillset([await restored(skill)])]);
  expect(copy.catalog().text).toBe(folder.catalog().text);
  const activate = async (set: typeof copy) => (await (await set.session()).activate("pdf")).text;
  expect(await activate(copy)).toBe(await activate(folder));
  expect(copy.skills[0]?.isTrusted).toBe(true);
});

test.each([".env", "empty", "../pdf/SKILL.md", "references", "missing.md"])(
  "a restored skill refuses to read %s",
  async (path) => {
    const copy = await restored(await loadPdf());
    await expect(copy.files.read(path)).rejects.toMatchObject({ name: "SkillError" });
  },
);

test("changing the bytes of a restored file does not change the next read", async () => {
  const content = Uint8Array.of(1, 2, 3);
  const snapshot = await snapshotSkill(await loadPdf());
  const copy = restoreSkill(snapshot, async () => content);
  (await copy.files.read("logo.png")).fill(9);
  expect(await copy.files.read("logo.png")).toEqual(Uint8Array.of(1, 2, 3));
  expect(Object.isFrozen(copy) && Object.isFrozen(copy.metadata) && Object.isFrozen(copy.extra)).toBe(true);
});

test("instructions that are not text are refused with the message of folders", async () => {
  const snapshot = await snapshotSkill(await loadPdf());
  const latin1 = restoreSkill(snapshot, async () => Uint8Array.of(0xe9));
  await expect(latin1.instructions()).rejects.toThrow("SKILL.md is not valid UTF-8.");
  await expect(restoreSkill(snapshot, async () => "\0").instructions()).rejects.toThrow("SKILL.md has a NUL byte.");
});

test("a skill in code has no snapshot", async () => {
  const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Boil water." });
  await expect(snapshotSkill(tea)).rejects.toThrow("Skill 'tea' has no SKILL.md.");
});

test("restoreSkill() says what it requires", () => {
  expect(() => restoreSkill({} as never, async () => "")).toThrow("restoreSkill() requires");
});
