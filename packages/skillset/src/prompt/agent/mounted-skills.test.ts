import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { AgentSkillsSection, Prompt, PromptTemplate, WorkspaceSection } from "../index.ts";
import { mountListedSkills } from "./listed-skills.ts";

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
