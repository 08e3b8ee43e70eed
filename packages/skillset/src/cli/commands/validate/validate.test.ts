import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { runCaptured } from "../../run-captured.ts";

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
      /^s\/a\/SKILL\.md:2:1: warning: The name 'A' must be lowercase\. \[name-uppercase\]\n {4}fix: Rename it to 'a'\.$/m,
    );
    expect(stdout).toMatch(
      /^s\/a\/SKILL\.md:2:1: error: The frontmatter has no 'description'\. \[description-missing\]$/m,
    );
    expect(stdout).toMatch(
      /^s\/a\/SKILL\.md:5:3: warning: 'y\.md' does not exist in this skill\. \[reference-missing\]$/m,
    );
    expect(stdout).toMatch(/^1 of 1 skill is invalid \(a\); 1 error, 3 warnings\.$/m);
  });

  test("accepts what agents accept, except with --strict", async () => {
    const files = { "s/a/SKILL.md": "---\nname: a\ndescription: A.\nversion: 1\ncolour: red\n---\nText.\n" };
    expect((await validate(files, "s")).code).toBe(0);
    const strict = await validate(files, "s", "--strict", "--verbose");
    expect(strict.code).toBe(1);
    expect(strict.stdout).toContain("error: The standard has no field 'colour'. [field-unknown]");
  });

  test("lint warnings alone never fail the check, not even with --strict", async () => {
    const { code, stdout } = await validate({ "a/SKILL.md": skillMd("a", undefined, "[x](y.md)") }, "a", "--strict");
    expect(code).toBe(0);
    expect(stdout).toContain("1 valid skill; 1 warning.");
  });

  test("a path without skills fails with an error, even next to a path with skills", async () => {
    const { code, stdout } = await validate({ "s/a/SKILL.md": skillMd("a"), "empty/README.md": "" }, "s", "empty");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^empty: error: .*contains no skill.* \[source-empty\]$/m);
  });

  test("a skill that two paths lead to is checked once", async () => {
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

describe("skillset validate in a repository", () => {
  const repository = {
    "README.md": "# Skills",
    "skills/a/SKILL.md": skillMd("a"),
    "skills/b/SKILL.md": skillMd("b"),
    ".claude/skills/c/SKILL.md": skillMd("c"),
  };

  test("checks the folders in which repositories keep skills, and lists them", async () => {
    const { code, stdout } = await validate(repository, ".");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "3 valid skills.\nAlso searched: skills, .claude/skills\n",
    });
  });

  test("fails for an invalid skill in one of them, also beside a SKILL.md in the repository's root", async () => {
    const files = { ...repository, "SKILL.md": skillMd("root"), "skills/d/SKILL.md": "---\nname: d\n---\n" };
    const { code, stdout } = await validate(files, ".");
    expect(code).toBe(1);
    expect(stdout).toContain("1 of 5 skills is invalid (d)");
    expect(stdout).not.toContain("skills-not-read");
  });

  test("is not confused by a file with the name of such a folder", async () => {
    const { code, stdout } = await validate({ "a/SKILL.md": skillMd("a"), skills: "a list" }, ".");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "1 valid skill.\n" });
  });

  test("reports a misspelt SKILL.md in one of them", async () => {
    const { stdout } = await validate({ ...repository, "skills/e/skill.md": skillMd("e") }, ".");
    expect(stdout).toMatch(/^skills\/e\/skill\.md: warning: .*\[skill-md-misnamed\]$/m);
  });

  test("reports how many skills in other folders were not checked", async () => {
    const files = { ...repository, "plugins/x/y/d/SKILL.md": skillMd("d"), "plugins/x/e/SKILL.md": skillMd("e") };
    const { code, stdout } = await validate(files, ".");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^\.: warning: 2 skills in other folders of '.*' are not loaded \(plugins\/x\/e, plugins\/x\/y\/d\)\. \[skills-not-read\]$/m,
    );
    expect(stdout).toContain("--recursive");
    expect((await validate(files, ".", "--recursive")).stdout).toBe("5 valid skills.\n");
  });

  test("searches every folder if none of the known ones has a skill", async () => {
    const { code, stdout } = await validate({ "packages/x/prompts/a/SKILL.md": "---\nname: a\n---\n" }, ".");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^packages\/x\/prompts\/a\/SKILL\.md:2:1: error: /m);
    expect(stdout).toContain("Also searched: all folders in .");
  });
});

describe("skillset validate fails when it cannot see every skill", () => {
  test("because they are too deep", async () => {
    const files = { "a/SKILL.md": skillMd("a"), "1/2/3/4/5/6/7/b/SKILL.md": skillMd("b") };
    const { code, stdout } = await validate(files, ".", "--recursive");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^\.: error: 1 skill is not loaded \(1\/2\/3\/4\/5\/6\/7\/b\): it is more than 6 levels below .* \[scan-limit\]$/m,
    );
  });

  test("because there are too many folders without a skill", async () => {
    const files = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`empty/${index}/x`, ""]));
    const { code, stdout } = await validate({ "a/SKILL.md": skillMd("a"), ...files }, ".", "--recursive");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\.: error: The scan of '.*' stopped after 2000 folders.* \[scan-limit\]$/m);
  });

  test("and warns of skills below a skill", async () => {
    const files = { "s/a/SKILL.md": skillMd("a"), "s/a/inner/b/SKILL.md": skillMd("b") };
    for (const options of [[], ["--recursive"]]) {
      const { stdout } = await validate(files, "s", ...options);
      expect(stdout).toMatch(
        /^s\/a\/SKILL\.md: warning: 1 skill below 'a' is not loaded \(inner\/b\): .*\[skills-not-read\]$/m,
      );
      expect(stdout).toContain("1 valid skill; 1 warning.");
    }
  });
});

test("findings of one rule with different fixes are shown separately", async () => {
  const cwd = temporaryFolder({
    "s/a/SKILL.md": "---\nname: a\ndescription: Does a.\nmetadata:\n\tauthor: me\n---\nBody\n",
    "s/b/SKILL.md": "---\nname: b\n\tdescription: Does b.\n---\nBody\n",
  });
  const { stdout } = await runCaptured(["validate", "s"], { cwd });
  expect(stdout).toContain("s/a/SKILL.md");
  expect(stdout.match(/fix:/g)?.length).toBeGreaterThan(1);
  expect(stdout).not.toMatch(/1 more: s\/b/);
});
