import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
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
const COMMANDS = [
  ["list"],
  ["search", "pdf"],
  ["doctor"],
  ["prompt"],
  ["show", "pdf"],
  ["try"],
  ["run", "pdf", "x"],
  ["install", "--agent", "claude"],
] as const;

async function run(argv: readonly string[], files: Readonly<Record<string, string>>) {
  const { code, stdout, stderr } = await runCaptured(argv, { cwd: temporaryFolder(files) });
  return { code, text: stdout + stderr };
}

describe("without skills in the standard folders", () => {
  test.each(COMMANDS.map((argv) => [argv.join(" "), argv] as const))(
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

test("no other folder is mentioned if the project has skills, or if a path is given", async () => {
  const files = { ...PLUGINS, "skills/tea/SKILL.md": skillMd("tea") };
  for (const argv of [["list"], ["list", "skills"], ["doctor"], ["show", "pdf"]])
    expect((await run(argv, files)).text).not.toContain("standard folder (");
});
