import { rmSync } from "node:fs";
import { createSkillset, standardFolders } from "skillset";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { skillCommands } from "./skill-commands.ts";

test("every bundled skill has a task, and that of data-summary needs a file", async () => {
  const bundled = standardFolders({ bundled: true }).filter(({ scope }) => scope === "bundled");
  const commands = await skillCommands(await createSkillset(bundled));
  expect(commands.map(({ name }) => name)).toContain("data-summary");
  for (const { name, task } of commands) expect(task?.text, name).toMatch(/^[A-Z].{30,}/);
  expect(commands.filter(({ task }) => task?.needsFile).map(({ name }) => name)).toEqual(["data-summary"]);
});

test("a command has the first task that fits on a card, and the files of a set are read once", async () => {
  const evals = ["x".repeat(300), "Make tea.", "Make soup."].map((prompt) => ({ prompt }));
  const folder = temporaryFolder({
    "tea/SKILL.md": skillMd("tea"),
    "tea/evals/evals.json": JSON.stringify({ evals }),
    "hidden/SKILL.md": skillMd("hidden", undefined, undefined, "user-invocable: false\n"),
    "plain/SKILL.md": skillMd("plain"),
  });
  const skillset = await createSkillset(folder);
  const tasks = async () => (await skillCommands(skillset)).map(({ name, task }) => [name, task?.text]);
  const expected = [
    ["plain", undefined],
    ["tea", "Make tea."],
  ];
  expect(await tasks()).toEqual(expected);
  rmSync(`${folder}/tea/evals`, { recursive: true });
  expect(await tasks()).toEqual(expected);
  expect((await skillCommands(await createSkillset(folder))).map(({ task }) => task)).toEqual([undefined, undefined]);
});
