import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { createSkillset } from "../node/create-skillset.ts";
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

test("002-8: tier 1 is flat XML with the absolute path of the SKILL.md", async () => {
  const { root, provider } = await open();
  expect(provider.getTier1Context()).toBe(
    `<available_skills>\n<skill>\n<name>pdf</name>\n<description>Reads &lt;PDFs&gt;.</description>\n<location>${root}/skills/pdf/SKILL.md</location>\n</skill>\n</available_skills>`,
  );
});

test("002-10: tier 2 is the whole SKILL.md, or null", async () => {
  const { provider } = await open();
  expect(await provider.getTier2Context("pdf")).toBe(skillMd("pdf", "Reads <PDFs>.", "# PDF"));
  expect(await provider.getTier2Context("none")).toBeNull();
});

test("002-12, 002-13: tier 3 lists files by kind, from the skill's folder, and gives their texts", async () => {
  const { provider } = await open();
  expect(await provider.getTier3ResourceList("pdf", "scripts")).toEqual(["scripts/a.sh", "scripts/b.sh"]);
  expect(await provider.getTier3ResourceList("pdf", "assets")).toEqual([]);
  expect(await provider.getTier3ResourceList("none", "scripts")).toEqual([]);
  expect(await provider.getTier3Resource("pdf", "references/deep/r.md")).toBe("R");
});

test.each(["../outside.txt", "/etc/passwd", "references/link.md", "none.md"])(
  "002-17, 002-18: tier 3 of %s is null",
  async (path) => {
    const { provider } = await open();
    expect(await provider.getTier3Resource("pdf", path)).toBeNull();
  },
);

test("002-14: skills are found by name", async () => {
  const { provider } = await open();
  expect(provider.getSkillNames()).toEqual(["pdf"]);
  expect(provider.getSkill("pdf")?.manifest.name).toBe("pdf");
  expect(provider.getSkill("none")).toBeUndefined();
});
