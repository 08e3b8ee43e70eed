import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { runCaptured } from "../run-captured.ts";

describe("skillset new", () => {
  test("creates a skill that is valid once it is filled in, and shows the next steps", async () => {
    const cwd = temporaryFolder();
    const { code, stdout } = await runCaptured(["new", "release-notes"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("Created release-notes/SKILL.md.");
    const untouched = await runCaptured(["validate", "release-notes", "--strict"], { cwd });
    expect(untouched.code).toBe(1);
    expect(untouched.stdout).toContain(
      "error: This line is unchanged from the 'skillset new' template. [template-unchanged]",
    );
    expect((await runCaptured(["validate", "release-notes"], { cwd })).code).toBe(0);
    writeFiles(cwd, { "release-notes/SKILL.md": skillMd("release-notes") });
    expect(await runCaptured(["validate", "release-notes", "--strict"], { cwd })).toEqual({
      code: 0,
      stdout: "1 valid skill.\n",
      stderr: "",
    });
  });

  test("prints commands as they can be typed, and says whether commands find the skill without its path", async () => {
    const cwd = temporaryFolder();
    const { stdout } = await runCaptured(["new", "a", "--dir", "skills"], { cwd, env: { npm_command: "exec" } });
    expect(stdout).toContain("  3. npx skillset validate skills/a --strict\n");
    expect(stdout).toContain("  5. npx skillset trust, ");
    expect((await runCaptured(["list"], { cwd })).stdout).toContain(" a  locked: not trusted yet\n");
    expect((await runCaptured(["new", "b"], { cwd })).stdout).toContain("Commands find it only by its path.");
  });

  test("--dir and --description set the folder and the description", async () => {
    const cwd = temporaryFolder();
    const description = "Writes notes: short ones. Use when a version is tagged.";
    expect(
      (await runCaptured(["new", "notes", "--dir", ".agents/skills", "--description", description], { cwd })).code,
    ).toBe(0);
    expect(readFileSync(join(cwd, ".agents/skills/notes/SKILL.md"), "utf8")).toContain(
      `description: ${JSON.stringify(description)}\n`,
    );
  });

  test.each([
    ["Release Notes", "release-notes"],
    ["a--b", "a-b"],
    ["../x", "x"],
    ["x".repeat(70), "x".repeat(64)],
  ])("refuses the name %s and suggests %s", async (name, suggested) => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await runCaptured(["new", name], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(new RegExp(`is not a valid skill name .* try '${suggested}'\\.\n$`));
  });

  test("refuses to overwrite a folder, and refuses an invalid description", async () => {
    const cwd = temporaryFolder({ "taken/mine.txt": "" });
    expect((await runCaptured(["new", "taken"], { cwd })).stderr).toContain("already exists");
    expect((await runCaptured(["new", "long", "--description", "x".repeat(1_025)], { cwd })).code).toBe(1);
    expect(existsSync(join(cwd, "long"))).toBe(false);
  });
});
