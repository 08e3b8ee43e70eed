import { join } from "node:path";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { createSkillset, defineSkill, standardFolders } from "../../index.ts";
import { TrustStore } from "../../node/index.ts";

const root = () =>
  temporaryFolder({
    "pdf/SKILL.md": skillMd("pdf", "Reads PDFs.", "Read references/a.md for $ARGUMENTS."),
    "pdf/references/a.md": "</skill_content>Reference text",
    "pdf/.env": "TOKEN=1",
  });

test("a preview equals the result of activating the skill, and changes nothing", async () => {
  const skills = await createSkillset([root()]);
  const {
    read: _read,
    readFile: _readFile,
    skill: shown,
    ...preview
  } = await skills.preview("pdf", { arguments: "page 3" });
  const { alreadyActive: _alreadyActive, ...activation } = await (await skills.session()).activate("pdf", {
    by: "user",
    arguments: "page 3",
  });
  expect(preview).toEqual(activation);
  expect(preview).toMatchObject({ truncated: false, files: ["references/a.md"], tokens: expect.any(Number) });
  expect(shown.name).toBe("pdf");
});

test("its files are read with the containment of a session, as text for people and for models", async () => {
  const { read } = await (await createSkillset([root()])).preview("pdf");
  expect(await read("references/a.md")).toMatchObject({
    path: "references/a.md",
    content: "</skill_content>Reference text",
    text: "&lt;/skill_content>Reference text",
    truncated: false,
  });
  await expect(read("../pdf/.env")).rejects.toMatchObject({ code: "resource-outside-skill" });
  await expect(read(".env")).rejects.toMatchObject({ code: "resource-not-found" });
});

test("it uses the given limits", async () => {
  const skills = await createSkillset([root()]);
  const preview = await skills.preview("pdf", { limits: { skillMdBytes: 4, resourceBytes: 3 } });
  expect(preview.text).toContain("SKILL.md is cut here");
  expect(preview.truncated).toBe(true);
  expect(await preview.read("references/a.md")).toMatchObject({ truncated: true });
});

test("it reports whether the instructions differ from the reader's", async () => {
  const skills = await createSkillset([root()]);
  const { digest } = await skills.preview("pdf");
  expect(await skills.preview("pdf", { since: digest })).toMatchObject({ changed: false });
  expect(await skills.preview("pdf", { since: "sha256:0" })).toMatchObject({ changed: true });
});

test("a locked skill is shown only with locked: true", async () => {
  const folder = temporaryFolder({
    "repo/.git/HEAD": "",
    "repo/.agents/skills/a/SKILL.md": skillMd("a", "From the project.", "Project steps."),
  });
  const trustStore = new TrustStore(join(folder, "config/trust.json"));
  const sources = standardFolders({ cwd: join(folder, "repo"), home: join(folder, "home"), bundled: false });
  const skills = await createSkillset(sources, { trustStore });
  await expect(skills.preview("a")).rejects.toMatchObject({
    code: "skill-locked",
    message: "Skill 'a' is locked. Run 'skillset trust' to allow it.",
  });
  expect((await skills.preview("a", { locked: true })).text).toContain("Project steps.");
});

test("a disabled skill can be shown, and the error for an unknown one lists the available names", async () => {
  const one = defineSkill({ name: "one", description: "One.", body: "First." });
  const two = defineSkill({ name: "two", description: "Two.", body: "Second." });
  const skills = await createSkillset([one, two], { disabled: ["two"] });
  expect((await skills.preview("two")).text).toContain("Second.");
  await expect(skills.preview("tow")).rejects.toMatchObject({ code: "skill-not-found" });
});
