import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { runCaptured } from "./run-captured.ts";

async function validate(files: Readonly<Record<string, string>>, ...argv: string[]) {
  const cwd = temporaryFolder(files);
  return { cwd, ...(await runCaptured(["validate", ...argv], { cwd })) };
}

describe("skillset validate", () => {
  test.each(["s", "s/a", "s/a/SKILL.md"])("accepts %s when the skill is valid", async (path) => {
    const { code, stdout } = await validate({ "s/a/SKILL.md": skillMd("a") }, path, "--strict");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "1 valid skill.\n" });
  });

  test("shows the place, the rule and the fix of each problem", async () => {
    const { code, stdout } = await validate({ "s/a/SKILL.md": "---\nname: A\nmetadata: {}\n---\n[x](y.md)\n" }, "s");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^s\/a\/SKILL\.md:2:1: warning: The name 'A' must be lower case\. \[name-uppercase\]\n {4}fix: Rename it to 'a'\.$/m,
    );
    expect(stdout).toMatch(/^s\/a\/SKILL\.md:2:1: error: 'description' is missing\. \[description-missing\]$/m);
    expect(stdout).toMatch(
      /^s\/a\/SKILL\.md:5:3: warning: 'y\.md' is not a file of this skill\. \[reference-missing\]$/m,
    );
    expect(stdout).toMatch(/^1 of 1 skill is invalid \(a\); 1 error, 3 warnings\.$/m);
  });

  test("forgives what agents forgive, unless it is --strict", async () => {
    const files = { "s/a/SKILL.md": "---\nname: a\ndescription: A.\nversion: 1\ncolour: red\n---\nText.\n" };
    expect((await validate(files, "s")).code).toBe(0);
    const strict = await validate(files, "s", "--strict");
    expect(strict.code).toBe(1);
    expect(strict.stdout).toContain("error: The standard has no field 'colour'. [field-unknown]");
  });

  test("lint alone never fails, not even under --strict", async () => {
    const { code, stdout } = await validate({ "a/SKILL.md": skillMd("a", undefined, "[x](y.md)") }, "a", "--strict");
    expect(code).toBe(0);
    expect(stdout).toContain("1 valid skill; 1 warning.");
  });

  test("a path without any skill fails and says so, also beside one that has some", async () => {
    const { code, stdout } = await validate({ "s/a/SKILL.md": skillMd("a"), "empty/README.md": "" }, "s", "empty");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^empty: error: .*holds no skill.* \[source-empty\]$/m);
  });

  test("one skill reached twice is checked once", async () => {
    expect((await validate({ "s/a/SKILL.md": skillMd("a") }, "s", "s/a")).stdout).toBe("1 valid skill.\n");
  });

  test("--json prints valid, skills and problems", async () => {
    const { cwd, code, stdout } = await validate({ "s/a/SKILL.md": skillMd("a"), "s/b/SKILL.md": "" }, "s", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      valid: false,
      skills: [
        { path: `${cwd}/s/a`, name: "a", valid: true },
        { path: `${cwd}/s/b`, name: "b", valid: false },
      ],
      problems: [
        expect.objectContaining({ code: "frontmatter-missing", severity: "error", path: `${cwd}/s/b/SKILL.md` }),
      ],
    });
  });
});
