import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { PATHS } from "./command-line/load.ts";
import { COMMANDS } from "./commands/all.ts";
import { runCaptured } from "./run-captured.ts";

/** A repository of skills, none of them in a standard folder. */
const PLUGINS = {
  ".git/HEAD": "",
  "plugins/a/skills/pdf/SKILL.md": skillMd("pdf"),
  "plugins/b/skills/docx/SKILL.md": skillMd("docx"),
  "node_modules/c/skills/xlsx/SKILL.md": skillMd("xlsx"),
};
const ELSEWHERE =
  "2 skills below this folder are not in a standard folder (plugins/a/skills/pdf, plugins/b/skills/docx). " +
  "Pass their folders, or run 'skillset list . --recursive'.\n";
/** What a command needs besides the skill that its first argument names. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = { install: ["--agent", "claude"] };
/** Every command that searches the standard folders when no path is given. */
const LINES: string[][] = [["run", "pdf", "x"]];
for (const [name, entry] of Object.entries(COMMANDS)) {
  const command = await entry.load();
  const required = command.arguments.flatMap((argument) => (argument.required ? ["pdf"] : []));
  // A server runs until its client leaves: the tests of serve start it.
  if (command.arguments.includes(PATHS) && name !== "serve") LINES.push([name, ...required, ...(OPTIONS[name] ?? [])]);
}

async function run(argv: readonly string[], files: Readonly<Record<string, string>>) {
  const { code, stdout, stderr } = await runCaptured(argv, { cwd: temporaryFolder(files) });
  return { code, text: stdout + stderr };
}

describe("without skills in the standard folders", () => {
  test.each(LINES.map((argv) => [argv.join(" "), argv] as const))(
    "skillset %s says where the skills of a repository are",
    async (_, argv) => {
      expect((await run(argv, PLUGINS)).text).toContain(ELSEWHERE);
    },
  );

  test("list does not suggest to create one", async () => {
    expect((await run(["list"], PLUGINS)).text).not.toContain("skillset new");
    expect((await run(["list"], { "README.md": "" })).text).toContain("skillset new");
  });

  test("the command that the hint names lists them", async () => {
    expect((await run(["list", ".", "--recursive"], PLUGINS)).text).toMatch(/ {2}pdf .*\n.* {2}docx .*\n\n2 skills/);
  });
});

test.each([["list"], ["search", "pdf"], ["prompt"], ["show", "pdf"], ["doctor"]])(
  "skillset %s says that skills are in deeper folders of ./skills",
  async (...argv) => {
    const { text } = await run(argv, { ".git/HEAD": "", "skills/.curated/pdf/SKILL.md": skillMd("pdf") });
    expect(text).toContain("1 skill is not loaded (.curated/pdf): it is more than 1 level below 'skills'.");
    expect(text).toContain("Pass the folders of these skills, or search subfolders with '--recursive'.");
  },
);

test("skills in the home do not hide those of the repository", async () => {
  const home = temporaryFolder({ ".agents/skills/mine/SKILL.md": skillMd("mine") });
  const { stdout } = await runCaptured(["list"], { cwd: temporaryFolder(PLUGINS), home });
  expect(stdout).toContain("  mine  ");
  expect(stdout).toContain(ELSEWHERE);
});

describe("with skills in the standard folders too", () => {
  const files = { ...PLUGINS, "skills/tea/SKILL.md": skillMd("tea"), ".agents/skills/milk/SKILL.md": skillMd("milk") };

  test.each(LINES.map((argv) => [argv.join(" "), argv] as const))(
    "skillset %s mentions the others while nothing is trusted",
    async (_, argv) => {
      expect((await run(argv, files)).text).toContain(ELSEWHERE);
    },
  );

  test.each([["prompt"], ["try"], ["install", "--agent", "claude"]])(
    "skillset %s says how many skills are locked, and what unlocks them",
    async (...argv) => {
      const locked = "2 skills of this project are locked. Review them, then run 'skillset trust'.";
      expect((await run(argv, files)).text).toContain(locked);
    },
  );

  test("no other folder is mentioned if a path is given, or if the command has what it needs", async () => {
    const home = temporaryFolder({ ".agents/skills/mine/SKILL.md": skillMd("mine") });
    const cwd = temporaryFolder(files);
    for (const argv of [["list", "skills"], ["prompt"], ["show", "mine"], ["show", "tea"]]) {
      const { stdout, stderr } = await runCaptured(argv, { cwd, home });
      expect(stdout + stderr).not.toContain("standard folder (");
    }
  });

  test("no skill is counted that is loaded, or in a standard folder", async () => {
    const standard = { "skills/tea/SKILL.md": skillMd("tea"), ".agent/skills/deep/er/milk/SKILL.md": skillMd("milk") };
    const cwd = temporaryFolder({ ".git/HEAD": "", ...standard, "shared/pdf/SKILL.md": skillMd("pdf") });
    mkdirSync(join(cwd, ".claude"));
    symlinkSync("../shared", join(cwd, ".claude/skills"));
    symlinkSync("../.claude/skills", join(cwd, "skills/link"));
    for (const folder of [cwd, join(cwd, "skills"), join(cwd, "shared"), join(cwd, "skills/tea")])
      expect((await runCaptured(["list"], { cwd: folder })).stdout).not.toContain("standard folder (");
    const home = temporaryFolder({ ".skillset/skills/mine/SKILL.md": skillMd("mine") });
    expect((await runCaptured(["list"], { cwd: home, home })).stdout).not.toContain("standard folder (");
  });
});

test("list names skills in deeper folders of ./skills once", async () => {
  const { text } = await run(["list"], { ".git/HEAD": "", "skills/.curated/pdf/SKILL.md": skillMd("pdf") });
  expect(text.match(/curated/g)).toHaveLength(1);
});

test("a skill in the working directory itself is counted", async () => {
  const { text } = await run(["list"], { "SKILL.md": skillMd("pdf") });
  expect(text).toContain("1 skill below this folder is not in a standard folder (.). Pass its folder, or run");
});
