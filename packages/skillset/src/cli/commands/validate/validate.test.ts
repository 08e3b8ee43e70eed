import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
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

  test.each([[[]], [["."]], [[".", "--recursive"]]])("checks every skill (validate %j)", async (argv) => {
    const files = {
      ...repository,
      "plugins/x/y/d/SKILL.md": skillMd("d"),
      "packages/x/e/SKILL.md": skillMd("e"),
      "SKILL.md": skillMd("root", undefined, "# Root"),
    };
    const { code, stdout } = await validate(files, ...argv);
    expect(code).toBe(0);
    expect(stdout).toContain("6 valid skills");
    expect(stdout).not.toContain("not loaded");
  });

  test("fails for a broken skill beside a folder in which agents keep skills", async () => {
    const files = { "skills/cat/a/SKILL.md": "", "skills/cat/b/SKILL.md": "" };
    expect((await validate(files, ".")).stdout).toContain("2 of 2 skills are invalid (a, b)");
    const { code, stdout } = await validate({ ...files, ".claude/skills/ok/SKILL.md": skillMd("ok") }, ".", "--quiet");
    expect(code).toBe(1);
    expect(stdout).toContain("2 of 3 skills are invalid (a, b)");
  });

  test("is not stopped by a SKILL.md in the folder 'skills'", async () => {
    const files = { ...repository, "skills/SKILL.md": skillMd("skills"), "skills/a/SKILL.md": "" };
    for (const path of [".", "skills", "skills/"]) {
      const { code, stdout } = await validate(files, path);
      expect(code).toBe(1);
      expect(stdout).toMatch(/^1 of \d skills is invalid \(a\); 1 error\.$/m);
    }
  });

  test("checks a folder of skills that is a link out of the repository", async () => {
    const cwd = temporaryFolder({ "repository/README.md": "", "shared/a/SKILL.md": "" });
    mkdirSync(join(cwd, "repository/.claude"));
    symlinkSync(join(cwd, "shared"), join(cwd, "repository/.claude/skills"));
    const { code, stdout } = await runCaptured(["validate", "repository"], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain("1 of 1 skill is invalid (a)");
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

  test("but it also checks skills below a skill, and warns that agents do not find them", async () => {
    const files = {
      "s/a/SKILL.md": skillMd("a"),
      "s/a/inner/b/SKILL.md": skillMd("b"),
      "s/a/inner/b/c/SKILL.md": "",
    };
    const { code, stdout } = await validate(files, "s");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^s\/a\/SKILL\.md: warning: 2 skills below 'a' are loaded only if passed by path \(inner\/b, inner\/b\/c\): .*\[skills-not-read\]$/m,
    );
    expect(stdout).toContain("1 of 3 skills is invalid (c); 1 error, 1 warning.");
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

describe("the fix for", () => {
  const fixes = async (frontmatter: string, folder = "a") => {
    const files = { [`s/${folder}/SKILL.md`]: `---\n${frontmatter}\ndescription: Does a.\n---\nText.\n` };
    const { stdout } = await validate(files, "s", "--json");
    return JSON.parse(stdout).problems.map(({ fix }: { fix: string }) => fix);
  };

  test.each(["disable-model-invocation: true", "argument-hint: x", "model: x", "user-invocable: false"])(
    "'%s' leaves it where Claude Code reads it",
    async (field) => {
      expect(await fixes(`name: a\n${field}`)).toEqual([expect.stringMatching(/^Leave it .*Claude Code/)]);
    },
  );

  test.each([
    ["disable_model_invocation: true", "disable-model-invocation"],
    ["disableModelInvocation: true", "disable-model-invocation"],
    ["disable-model-invokation: true", "disable-model-invocation"],
    ["user_invocable: false", "user-invocable"],
    ["argument_hint: x", "argument-hint"],
  ])("'%s' renames it to the field that protects or describes the skill", async (field, meant) => {
    expect(await fixes(`name: a\n${field}`)).toEqual([`Rename it to '${meant}'.`]);
  });

  test.each([
    "permissions: x",
    "permissionMode: plan",
    "mcp: x",
    "globs: '*.ts'",
    "mode: x",
    "user: x",
    "disable-user-invocation: true",
    "disable_model_invocation: true\ndisable-model-invocation: true",
  ])("'%s' takes nothing from an agent that reads it", async (field) => {
    expect((await fixes(`name: a\n${field}`))[0]).toBe("Leave it if an agent reads it, or put it under 'metadata'.");
  });

  test("'triggers' names the fields that trigger the skill", async () => {
    expect(await fixes("name: a\ntriggers:\n  - tea")).toEqual([expect.stringContaining("'trigger-keywords'")]);
  });

  test("'requires' does not make it a requirement unasked", async () => {
    expect(await fixes("name: a\nrequires: flowing")).toEqual([
      "Remove it, or keep it there: under 'metadata' it would be the name of a command.",
    ]);
  });

  test("a name with mistakes, in a folder with another name, is one name", async () => {
    expect(await fixes("name: my skill", "my")).toEqual(["Rename it to 'my'.", "Rename it to 'my'."]);
  });
});
