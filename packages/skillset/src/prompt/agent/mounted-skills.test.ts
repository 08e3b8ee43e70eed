import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { AgentSkillsSection, Prompt, PromptTemplate, WorkspaceSection } from "../index.ts";
import { mountListedSkills } from "./listed-skills.ts";
import { ReadableSkills } from "./readable-skills.ts";

test("a skill that requires a missing package is not mounted", async () => {
  const needy = "metadata:\n  packages: npm:no-such-package-xyz\n";
  const skillsDir = temporaryFolder({
    "needy/SKILL.md": skillMd("needy", "Needs it.", "Do it.\n", needy),
    "tea/SKILL.md": skillMd("tea"),
  });
  using workspace = new WorkspaceSection({ mounts: [], allowedHostRoots: [] });
  const sections = [workspace, new AgentSkillsSection({ skillsDir, mountPath: "skills" })];
  await workspace.open();
  const prompt = new Prompt(new PromptTemplate({ ns: "test", key: "mounts", sections }));
  await mountListedSkills(prompt, workspace.tempDir, { warn: (message) => expect.fail(message) });
  const isMounted = (name: string) => existsSync(join(workspace.tempDir, "skills", name));
  expect([isMounted("tea"), isMounted("needy")]).toEqual([true, false]);
});

test("a skill that requires one of another section is mounted and read, also if another prompt lacks that section", async () => {
  const needy = "metadata:\n  requires-skills: tea\n";
  const folderOf = (name: string, fields = "") =>
    temporaryFolder({ [`${name}/SKILL.md`]: skillMd(name, "Does it.", "Do it.\n", fields) });
  using workspace = new WorkspaceSection({ mounts: [], allowedHostRoots: [] });
  const shared = new AgentSkillsSection({ skillsDir: folderOf("needy", needy), mountPath: "skills" });
  const org = new AgentSkillsSection({ skillsDir: folderOf("tea"), mountPath: "org" });
  await workspace.open();
  const prompt = new Prompt(new PromptTemplate({ ns: "test", key: "mounts", sections: [workspace, shared, org] }));
  const other = new Prompt(new PromptTemplate({ ns: "test", key: "alone", sections: [shared] }));
  expect(other.render().text).not.toContain("needy");
  await mountListedSkills(prompt, workspace.tempDir, { warn: (message) => expect.fail(message) });
  expect(existsSync(join(workspace.tempDir, "skills", "needy"))).toBe(true);
  expect(other.render().text).not.toContain("needy");
  const readable = new ReadableSkills(prompt, { sessions: [] }).in(workspace.tempDir);
  expect(readable.map(({ name }) => name)).toEqual(["needy", "tea"]);
});
