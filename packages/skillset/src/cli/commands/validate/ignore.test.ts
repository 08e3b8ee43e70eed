import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { createSkillset } from "../../../index.ts";
import { runCaptured } from "../../run-captured.ts";

const FILES = {
  "skills/good/SKILL.md": skillMd("good"),
  "skills/good/fixtures/nested/SKILL.md": "Broken.",
  "test/fixtures/broken/SKILL.md": "Broken.",
  ".claude/skills/fixtures/other/SKILL.md": "Broken.",
  "1/2/3/4/5/6/7/fixtures/deep/SKILL.md": "Broken.",
};
const ONE = "1 valid skill.\n";

async function validate(argv: readonly string[], files: Readonly<Record<string, string>> = FILES, below = ".") {
  const cwd = join(temporaryFolder({ "here/.keep": "", ...files }), below);
  return { cwd, ...(await runCaptured(["validate", ...argv], { cwd })) };
}

test("--ignore leaves out folders by name at any depth, also deeper than a search goes", async () => {
  expect((await validate(["."])).code).toBe(1);
  const { code, stdout } = await validate([".", "--ignore", "fixtures"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: ONE });
});

test.each([
  ["a path", ["test/fixtures"]],
  ["a path below this folder", ["./test"]],
  ["what is in a folder", ["test/fixtures/**"]],
  ["an absolute path", ["/test/fixtures"]],
  ["a path with two stars", ["**/broken"]],
])("--ignore takes %s", async (_, globs) => {
  const root = temporaryFolder({ "a/SKILL.md": skillMd("a"), "test/fixtures/broken/SKILL.md": "Broken." });
  const argv = globs.flatMap((glob) => ["--ignore", glob.startsWith("/") ? root + glob : glob]);
  const { code, stdout } = await runCaptured(["validate", ...argv], { cwd: root });
  expect({ code, stdout }).toEqual({ code: 0, stdout: ONE });
});

test("--ignore ./fixtures leaves out only the folder beside the reader", async () => {
  const { stdout } = await validate([".", "--ignore", "./fixtures", "--ignore", "1"]);
  expect(stdout).toContain("test/fixtures/broken/SKILL.md");
});

test("--ignore applies outside this folder too, to what a glob finds, and never to a path that is passed", async () => {
  const outside = await validate(["..", "--ignore", "fixtures"], FILES, "here");
  expect(outside.stdout).toBe(ONE);
  const globbed = await validate(["skills/*", "--ignore", "bad"], { ...FILES, "skills/bad/SKILL.md": "" });
  expect(globbed.stdout).not.toContain("skills/bad");
  expect((await validate(["test/fixtures", "--ignore", "fixtures"])).code).toBe(1);
});

test("a folder of skills that is a link out of the repository is left out by its name", async () => {
  const root = temporaryFolder({ "repo/a/SKILL.md": skillMd("a"), "shared/broken/SKILL.md": "Broken." });
  symlinkSync("../shared", join(root, "repo/skills"));
  const run = (...argv: string[]) => runCaptured(["validate", ".", ...argv], { cwd: join(root, "repo") });
  expect((await run()).code).toBe(1);
  expect((await run("--ignore", "skills")).stdout).toBe(ONE);
});

test("'ignore' in skillset.json is relative to the file, and is added to --ignore", async () => {
  const config = '{ "validate": { "ignore": ["test/fixtures", "./1"] } }';
  const files = { ...FILES, ".git/HEAD": "", "skillset.json": config };
  const { code, stdout } = await validate(["..", "--ignore", "other", "--ignore", "nested"], files, "here");
  expect(code).toBe(0);
  expect(stdout).toContain("1 valid skill");
});

test.each([
  ['{ "validate": { "ignore": "fixtures" } }', "'ignore' must be an array of globs."],
  ['{ "validate": { "ignore": [""] } }', "A glob in 'ignore' must be a string that is not empty."],
])("%s is a mistake", async (config, message) => {
  const { code, stderr } = await validate(["."], { ...FILES, "skillset.json": config });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});

test("createSkillset() has the same option", async () => {
  const cwd = temporaryFolder(FILES);
  const options = { cwd, recursive: true, onProblem: () => {} };
  const { names, entries } = await createSkillset(["."], { ...options, ignore: ["fixtures"] });
  expect({ names, count: entries.length }).toEqual({ names: ["good"], count: 1 });
  await expect(createSkillset(["."], { ...options, ignore: "fixtures" as never })).rejects.toMatchObject({
    code: "option-invalid",
    message: `'ignore' must be an array of globs, not the text "fixtures".`,
  });
});
