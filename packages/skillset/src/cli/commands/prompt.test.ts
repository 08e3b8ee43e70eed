import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { CATALOG_FORMATS } from "../../core/catalog/catalog-format.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { runCaptured } from "../run-captured.ts";

const FILES = { "s/a/SKILL.md": skillMd("a", "Does <a>."), "s/b/SKILL.md": skillMd("b", "Does b. ".repeat(40)) };

async function prompt(...argv: string[]) {
  const cwd = temporaryFolder(FILES);
  return { cwd, ...(await runCaptured(["prompt", "s", ...argv], { cwd })) };
}

describe("skillset prompt", () => {
  test.each(CATALOG_FORMATS)("--format %s prints exactly what the library returns", async (format) => {
    const { cwd, code, stdout, stderr } = await prompt("--format", format);
    const skills = await createSkillset("s", { cwd });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${skills.catalog({ format }).text}\n`, stderr: "" });
  });

  test("JSON is an object with available_skills", async () => {
    const { stdout } = await prompt("--format", "json", "--location", "uri");
    expect(JSON.parse(stdout).available_skills[0]).toEqual({
      name: "a",
      description: "Does <a>.",
      location: "skill://a/SKILL.md",
    });
  });

  test("--flat does not indent, and --location adds locations", async () => {
    const { cwd, stdout } = await prompt("--flat", "--location", "path");
    expect(stdout).toContain(`\n<location>${cwd}/s/a/SKILL.md</location>\n`);
  });

  test("stderr reports what a budget left out", async () => {
    const { stdout, stderr } = await prompt("--budget", "300", "--characters");
    expect(stdout.length).toBeLessThanOrEqual(301);
    expect(stderr).toMatch(/^To fit the budget: 1 description shortened \(b\)\. The catalog has /);
    expect((await prompt("--budget", "5000")).stderr).toBe("");
  });

  test("--budget none has no limit, and --pin keeps a description", async () => {
    const cwd = temporaryFolder(
      Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [
          `s/x${index}/SKILL.md`,
          skillMd(`x${index}`, `${"Does x. ".repeat(100)}End ${index}.`),
        ]),
      ),
    );
    const ends = async (...argv: string[]) =>
      (await runCaptured(["prompt", "s", ...argv], { cwd })).stdout.match(/End \d+/g) ?? [];
    expect(await ends("--budget", "none")).toHaveLength(60);
    expect(await ends("--budget", "2000", "--pin", "x7", "--pin", "x9")).toEqual(["End 7", "End 9"]);
    const { code, stderr } = await runCaptured(["prompt", "s", "--pin", "x60"], { cwd });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("Did you mean 'x") });
  });

  test("an empty set prints nothing on stdout", async () => {
    const { code, stdout, stderr } = await prompt("--disable", "*");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain("No skill is available to a model.");
  });
});
