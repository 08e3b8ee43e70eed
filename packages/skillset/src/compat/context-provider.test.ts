import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { defineSkill } from "../core/skill/define-skill.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { SkillContextProvider } from "./context-provider.ts";

async function open() {
  const root = temporaryFolder({
    "outside.txt": "secret",
    "skills/pdf/SKILL.md": skillMd("pdf", "Reads <PDFs>.", "# PDF"),
    "skills/pdf/scripts/b.sh": "b",
    "skills/pdf/scripts/a.sh": "a",
    "skills/pdf/references/deep/r.md": "R",
  });
  symlinkSync(join(root, "outside.txt"), join(root, "skills/pdf/references/link.md"));
  const skills = await createSkillset([join(root, "skills")], { policy: "strict" });
  return { root, provider: new SkillContextProvider(await skills.session()) };
}

test("tier 1 is flat XML with the absolute path of the SKILL.md", async () => {
  const { root, provider } = await open();
  expect(provider.getTier1Context()).toBe(
    `<available_skills>\n<skill>\n<name>pdf</name>\n<description>Reads &lt;PDFs&gt;.</description>\n<location>${root}/skills/pdf/SKILL.md</location>\n</skill>\n</available_skills>`,
  );
});

test("tier 2 is the whole SKILL.md, or null", async () => {
  const { provider } = await open();
  expect(await provider.getTier2Context("pdf")).toBe(skillMd("pdf", "Reads <PDFs>.", "# PDF"));
  expect(await provider.getTier2Context("none")).toBeNull();
});

test("tier 3 lists files by kind, from the skill's folder, and returns their texts", async () => {
  const { provider } = await open();
  expect(await provider.getTier3ResourceList("pdf", "scripts")).toEqual(["scripts/a.sh", "scripts/b.sh"]);
  expect(await provider.getTier3ResourceList("pdf", "assets")).toEqual([]);
  expect(await provider.getTier3ResourceList("none", "scripts")).toEqual([]);
  expect(await provider.getTier3Resource("pdf", "references/deep/r.md")).toBe("R");
});

test.each(["../outside.txt", "/etc/passwd", "references/link.md", "none.md"])("tier 3 of %s is null", async (path) => {
  const { provider } = await open();
  expect(await provider.getTier3Resource("pdf", path)).toBeNull();
});

test("skills are found by name", async () => {
  const { provider } = await open();
  expect(provider.getSkillNames()).toEqual(["pdf"]);
  expect(provider.getSkill("pdf")?.manifest.name).toBe("pdf");
  expect(provider.getSkill("none")).toBeUndefined();
});

test("a skill that breaks a rule is in no tier and is reported, regardless of the set's policy", async () => {
  const root = temporaryFolder({
    "pdf/SKILL.md": skillMd("pdf"),
    "colour/SKILL.md": "---\nname: colour\ndescription: Has a field.\ncolour: blue\n---\nBody",
    "colour/references/a.md": "A",
    "folder/SKILL.md": skillMd("other"),
    "spaces/SKILL.md": '---\nname: " spaces "\ndescription: Has spaces.\n---\nBody',
  });
  const session = await (await createSkillset([root])).session();
  expect(session.skillset.names).toEqual(["colour", "other", "pdf", "spaces"]);
  const provider = new SkillContextProvider(session);
  expect(provider.getSkillNames()).toEqual(["pdf"]);
  expect(provider.getTier1Context()).not.toMatch(/colour|other|spaces/);
  expect(provider.getSkill("colour")).toBeUndefined();
  expect(await provider.getTier2Context("colour")).toBeNull();
  expect(await provider.getTier3ResourceList("colour", "references")).toEqual([]);
  expect(await provider.getTier3Resource("colour", "references/a.md")).toBeNull();
  expect(provider.problems.map(({ severity, code }) => `${severity}: ${code}`)).toEqual([
    "error: field-unknown",
    "error: name-folder-mismatch",
    "error: name-spaces",
  ]);
  expect(provider.problems[0]?.message).toContain("'colour'");
});

test("fields that the set allows are not reported", async () => {
  const root = temporaryFolder({ "a/SKILL.md": "---\nname: a\ndescription: d\ntriggers: x\n---\nBody" });
  const skills = await createSkillset([root], { extensions: ["triggers"] });
  expect(new SkillContextProvider(await skills.session()).getSkillNames()).toEqual(["a"]);
});

test("a budget shortens tier 1, with a note", async () => {
  const root = temporaryFolder(
    Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`s${at}/SKILL.md`, skillMd(`s${at}`, "Words. ".repeat(50))]),
    ),
  );
  const session = await (await createSkillset([root])).session();
  const whole = new SkillContextProvider(session).getTier1Context();
  const short = new SkillContextProvider(session, { budget: { characters: 4_000 } }).getTier1Context();
  expect(whole.length).toBeGreaterThan(7_000);
  expect(short.length).toBeLessThanOrEqual(4_000);
  expect(short).toMatch(/20 descriptions are shortened|20 skills are listed by name only/);
});

test("tier 2 is null when the SKILL.md was removed, and tier 3 is empty", async () => {
  const { root, provider } = await open();
  rmSync(join(root, "skills/pdf"), { recursive: true });
  expect(await provider.getTier2Context("pdf")).toBeNull();
  expect(await provider.getTier3ResourceList("pdf", "scripts")).toEqual([]);
});

test("tier 2 is null when the session's budget is spent, and a store that fails throws", async () => {
  const long = defineSkill({ name: "long", description: "Is long.", body: "word ".repeat(500) });
  const skills = await createSkillset([long]);
  const poor = new SkillContextProvider(await skills.session({ budget: { tokens: 100 } }));
  expect(await poor.getTier2Context("long")).toBeNull();
  const store = { load: async () => undefined, save: () => Promise.reject(new Error("disk full")) };
  const failing = new SkillContextProvider(await skills.session({ store }));
  await expect(failing.getTier2Context("long")).rejects.toMatchObject({ code: "store-failed" });
});

test("getSkill returns every skill that getSkillNames lists, also one in code", async () => {
  const virtual = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep it.", allowedTools: ["Read"] });
  const provider = new SkillContextProvider(await (await createSkillset([virtual])).session());
  expect(provider.getSkillNames()).toEqual(["tea"]);
  expect(provider.getSkill("tea")).toEqual({
    manifest: { name: "tea", description: "Makes tea.", "allowed-tools": "Read" },
    source: "code",
  });
  expect(await provider.getTier2Context("tea")).toContain("Steep it.");
});
