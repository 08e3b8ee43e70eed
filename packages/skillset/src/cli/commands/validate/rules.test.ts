import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { runCaptured } from "../../run-captured.ts";

async function validate(files: Readonly<Record<string, string>>, ...argv: string[]) {
  const cwd = temporaryFolder(files);
  return { cwd, ...(await runCaptured(["validate", ...argv], { cwd })) };
}

const config = (validate: object) => ({ "skillset.json": JSON.stringify({ validate }) });
/** Skills that refer to two missing files each. */
const warned = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `s/a${index}/SKILL.md`,
      skillMd(`a${index}`, undefined, "[x](x.md)\n[y](y.md)"),
    ]),
  );
const BROKEN = { "s/b/SKILL.md": "---\nname: b\n---\nText.\n" };

describe("the text of skillset validate", () => {
  test("has one example of each rule, and the number and places of the others", async () => {
    const { stdout } = await validate({ ...warned(4), ...BROKEN }, "s");
    expect(stdout).toBe(
      [
        "s/b/SKILL.md:2:1: error: The frontmatter has no 'description'. [description-missing]",
        "    fix: Describe in one or two sentences what the skill does and when to use it.",
        "s/a0/SKILL.md:6:3: warning: 'x.md' does not exist in this skill. [reference-missing]",
        "    fix: Add the file, or correct the path.",
        "    7 more: s/a0/SKILL.md:7:3, s/a1/SKILL.md:6:3, s/a1/SKILL.md:7:3, s/a2/SKILL.md:6:3, …",
        "",
        "1 of 5 skills is invalid (b); 1 error, 8 warnings.",
        "'--verbose' shows all 9 findings.",
        "",
      ].join("\n"),
    );
  });

  test("has every finding with --verbose", async () => {
    const { stdout } = await validate(warned(4), "s", "--verbose");
    expect(stdout.match(/\[reference-missing\]$/gm)).toHaveLength(8);
    expect(stdout).not.toContain("more");
  });

  test("has only errors with --quiet, and is empty if there are none", async () => {
    const { stdout } = await validate({ ...warned(1), ...BROKEN }, "s", "--quiet");
    expect(stdout).toContain("[description-missing]");
    expect(stdout).not.toContain("warning");
    expect(await validate(warned(1), "s", "--quiet")).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });
});

describe("--max-warnings", () => {
  test.each([
    ["1", 1],
    ["2", 0],
  ])("%s exits with %d for two warnings, also with --quiet", async (most, code) => {
    for (const options of [[], ["--quiet"]]) {
      const result = await validate(warned(1), "s", "--max-warnings", most, ...options);
      expect(result.code).toBe(code);
      expect(result.stderr).toBe(code === 0 ? "" : "Too many warnings: 2 warnings; '--max-warnings' allows 1.\n");
    }
  });

  test("sets 'valid' to false in the JSON", async () => {
    const { stdout } = await validate(warned(1), "s", "--max-warnings", "0", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ valid: false, skills: [{ name: "a0", valid: true }] });
  });

  test("that is not a number is refused", async () => {
    expect(await validate(warned(1), "s", "--max-warnings", "few")).toMatchObject({ code: 2 });
  });
});

describe("the rules of a skillset.json", () => {
  test("turn a rule off, lower it and raise it", async () => {
    const level = async (value: string) => {
      const files = { ...warned(1), ...config({ rules: { "reference-missing": value } }) };
      const { code, stdout } = await validate(files, "s", "--verbose");
      return [code, stdout.match(/(?:error|warning|info)(?=: 'x\.md')/)?.[0]];
    };
    expect(await level("off")).toEqual([0, undefined]);
    expect(await level("info")).toEqual([0, "info"]);
    expect(await level("error")).toEqual([1, "error"]);
  });

  test("are named in the result", async () => {
    const { stdout } = await validate({ ...warned(1), ...config({ rules: { "reference-missing": "off" } }) }, "s");
    expect(stdout).toBe("1 valid skill.\nRules: skillset.json\n");
  });

  test("lower an error, which changes the exit code but not which skills load", async () => {
    const files = { ...BROKEN, ...config({ rules: { "description-missing": "warning" } }) };
    const { cwd, code, stdout } = await validate(files, "s");
    expect(code).toBe(0);
    expect(stdout).toContain("warning: The frontmatter has no 'description'.");
    expect((await runCaptured(["list", "s"], { cwd })).stdout).toContain("invalid:");
  });

  test("override --strict", async () => {
    const skill = { "s/a/SKILL.md": "---\nname: a\ndescription: A.\ncolour: red\n---\nText.\n" };
    expect((await validate(skill, "s", "--strict")).code).toBe(1);
    const lowered = { ...skill, ...config({ rules: { "field-unknown": "info" } }) };
    expect((await validate(lowered, "s", "--strict")).code).toBe(0);
  });

  test("set the number of warnings, which the command line overrides", async () => {
    const files = { ...warned(1), ...config({ maxWarnings: 0 }) };
    const { code, stderr } = await validate(files, "s");
    expect(code).toBe(1);
    expect(stderr).toBe("Too many warnings: 2 warnings; 'maxWarnings' in skillset.json allows 0.\n");
    expect((await validate(files, "s", "--max-warnings", "2")).code).toBe(0);
  });

  test("never come from the folder that is checked", async () => {
    const files = {
      ...BROKEN,
      "s/skillset.json": config({ rules: { "description-missing": "info" } })["skillset.json"],
    };
    expect((await validate(files, "s")).code).toBe(1);
    expect((await validate(files, "s", "--config", "s/skillset.json")).code).toBe(0);
  });

  test("with a mistake stop the check with exit code 2", async () => {
    const { cwd, code, stdout, stderr } = await validate(
      { ...warned(1), ...config({ rules: { "body-emty": "off" } }) },
      "s",
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(`${cwd}/skillset.json:1:23: 'rules' has no rule 'body-emty'; did you mean 'body-empty'?\n`);
  });
});

describe("a check of nothing fails", () => {
  test.each([
    ["an empty folder", ["empty"]],
    ["an empty folder, searched to the end", ["empty", "--recursive"]],
    ["a pattern that matches folders without a skill", ["em*"]],
    ["a path that does not exist", ["nowhere"]],
  ])("for %s", async (_, argv) => {
    const { code, stdout, stderr } = await validate({ "empty/README.md": "" }, ...argv);
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(/no skill|No skill|does not exist/);
  });

  test("whatever the rules say", async () => {
    const files = { "empty/README.md": "", ...config({ rules: { "source-empty": "off" } }) };
    const { code, stdout } = await validate(files, "empty");
    expect(code).toBe(1);
    expect(stdout).toContain("error: No skill was found, so nothing was checked. [source-empty]");
  });

  test("in every format", async () => {
    for (const format of ["json", "sarif", "github", "junit"]) {
      const { code, stdout } = await validate({ "empty/README.md": "" }, "empty", "--format", format);
      expect(code).toBe(1);
      expect(stdout).toContain("source-empty");
    }
  });
});
