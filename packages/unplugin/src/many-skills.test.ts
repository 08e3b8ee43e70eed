import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { compareWithFolder, generateSkills } from "./testing/compare-with-folder.ts";

test("100 compiled skills equal the same skills from their folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "many-skills-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  generateSkills(folder, 100);
  const { differences, skills, files } = await compareWithFolder(folder);
  expect(differences).toEqual([]);
  expect({ skills, files }).toEqual({ skills: 100, files: 225 });
});

test.each([
  ["packages/skillset/skills", 6],
  ["packages/skillset/agent-skill", 1],
  ["test/fixtures/validator", 20],
  ["test/agents/fixtures/skills", 4],
  ["examples", 4],
])("the skills in %s equal those of their folder", async (folder, least) => {
  const { differences, skills } = await compareWithFolder(folder, { recursive: true });
  expect(differences).toEqual([]);
  expect(skills).toBeGreaterThanOrEqual(least);
});
