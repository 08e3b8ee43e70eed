import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import type { Problem } from "../../core/base/problem.ts";
import { warnOfProblem } from "../../core/load/report-problems.ts";
import { createSkillset } from "./create-skillset.ts";

const warn = vi.spyOn(console, "warn");
beforeEach(() => void warn.mockImplementation(() => {}));
afterEach(() => void warn.mockReset());

const lines = () => warn.mock.calls.map(([line]) => String(line));

test("a broken skill is one line on stderr with the file, the line and the fix, once per process", async () => {
  const root = temporaryFolder();
  writeFiles(root, { "good/SKILL.md": skillMd("good"), "bad/SKILL.md": "---\nname: bad\n---\nBody" });
  await createSkillset(root);
  await createSkillset(root);
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toMatch(/^skillset: .*bad\/SKILL\.md:.*'description'/);
  expect(lines()[0]).toContain(join(root, "bad/SKILL.md"));
});

test("of many broken skills, ten are lines on stderr, and one line has the number of the others", async () => {
  const root = temporaryFolder();
  for (let index = 0; index < 30; index++) writeFiles(root, { [`bad-${index}/SKILL.md`]: "---\nname: x\n---\nBody" });
  await createSkillset(root);
  expect(lines()).toHaveLength(11);
  expect(lines().at(-1)).toMatch(
    /^skillset: 20 more problems of the kind 'description-missing'\. Read 'problems', or set 'onProblem'\.$/,
  );
});

test("a locked skill is one line on stderr that names the command to run", async () => {
  const root = temporaryFolder();
  writeFiles(root, { "locked/SKILL.md": skillMd("locked") });
  await createSkillset({ path: root, scope: "project" });
  expect(lines()).toEqual([expect.stringMatching(/'locked' is locked.*skillset trust/)]);
});

test("warnings are not written to stderr", async () => {
  const root = temporaryFolder();
  writeFiles(root, { "warned/SKILL.md": "---\nname: warned\ndescription: Warns.\ncolour: blue\n---\n" });
  const { problems } = await createSkillset(root);
  expect(problems.map(({ severity }) => severity)).toEqual(["warning"]);
  expect(lines()).toEqual([]);
});

test("the line has nothing that controls a terminal", () => {
  warnOfProblem({ code: "frontmatter-missing", severity: "error", message: "Bad \x1B[31mred\u202E\nsecond line." });
  expect(lines()).toEqual(["skillset: Bad [31mred second line."]);
});

test("onProblem receives every problem once, and only new ones after a reload", async () => {
  const root = temporaryFolder();
  writeFiles(root, {
    "bad/SKILL.md": "---\nname: bad\n---\nBody",
    "warned/SKILL.md": "---\nname: warned\ndescription: Warns.\ncolour: blue\n---\n",
  });
  const heard: Problem[] = [];
  const skillset = await createSkillset(root, { onProblem: (problem) => heard.push(problem) });
  expect(heard).toEqual(skillset.problems);
  expect(lines()).toEqual([]);
  await skillset.reload();
  expect(heard).toHaveLength(skillset.problems.length);
  writeFiles(root, { "worse/SKILL.md": "---\nname: worse\n---\nBody" });
  rmSync(join(root, "bad"), { recursive: true });
  await skillset.reload();
  expect(heard.slice(skillset.problems.length).map(({ skill, path }) => skill ?? path)).toEqual([
    expect.stringContaining("worse"),
  ]);
});
