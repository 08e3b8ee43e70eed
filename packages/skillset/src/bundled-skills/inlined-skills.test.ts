import { expect, test } from "vitest";
import { createSkillset } from "../node/load/create-skillset.ts";
import { BUNDLED_SKILLS, INLINED_SKILLS } from "./bundled-skills.ts";

test("the copy in the code has the skills, catalog, digests and files of the folder", async () => {
  const [folder, copy] = await Promise.all([createSkillset(BUNDLED_SKILLS), createSkillset(INLINED_SKILLS)]);
  expect(copy.problems).toEqual([]);
  expect(copy.skills.map(({ name }) => name)).toEqual(folder.skills.map(({ name }) => name));
  expect(copy.catalog().text).toBe(folder.catalog().text);
  for (const skill of copy.skills) {
    const other = folder.skills.find(({ name }) => name === skill.name);
    expect(skill.description).toBe(other?.description);
    expect(await skill.instructions()).toBe(await other?.instructions());
    expect(await skill.digest()).toBe(await other?.digest());
    const files = (await skill.files.list()).filter(({ kind }) => kind === "file");
    expect(files.length).toBeGreaterThan(0);
    for (const { path } of files) {
      const [own, theirs] = await Promise.all([skill.files.read(path), other?.files.read(path)]);
      expect(new TextDecoder().decode(own), path).toBe(new TextDecoder().decode(theirs));
    }
  }
});

test("the copy can be reloaded and watched", async () => {
  const skills = await createSkillset({ path: INLINED_SKILLS, scope: "bundled", optional: true });
  const { skillset } = await skills.reload();
  expect(skillset.skills).toEqual(skills.skills);
  const watcher = skills.watch(() => {});
  await watcher.ready;
  await watcher.close();
});
