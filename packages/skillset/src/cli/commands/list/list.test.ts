import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../../test/temporary-folder.ts";
import { runCaptured } from "../../run-captured.ts";

const SKILLS = {
  "user/.agents/skills/pdf/SKILL.md": skillMd("pdf", "Reads PDF files. Use when a PDF is given."),
  "user/.agents/skills/old/SKILL.md": skillMd("old", "Does old things."),
  "user/.agents/skills/broken/SKILL.md": "---\nname: broken\n---\n",
  "user/.claude/skills/pdf/SKILL.md": skillMd("pdf", "Another one."),
  "project/.git/HEAD": "",
  "project/.agents/skills/ours/SKILL.md": skillMd("ours", "Ours."),
};

async function list(files: Readonly<Record<string, string>>, ...argv: string[]) {
  const cwd = temporaryFolder(files);
  return { cwd, ...(await runCaptured(["list", ...argv], { cwd })) };
}

describe("skillset list", () => {
  test("groups skills by folder and marks them as enabled, disabled, shadowed, locked or invalid, with reasons", async () => {
    const root = temporaryFolder(SKILLS);
    const result = await runCaptured(["list", "--disable", "old"], {
      cwd: join(root, "project"),
      home: join(root, "user"),
    });
    expect(result.code).toBe(0);
    const lines = result.stdout.split("\n").map((line) => line.trimEnd());
    expect(lines).toEqual(
      expect.arrayContaining([
        "project  .agents/skills",
        "  #  ours  locked: not trusted yet",
        `user  ${root}/user/.agents/skills`,
        "  +  pdf     Reads PDF files. Use when a PDF is given.",
        "  -  old     disabled",
        expect.stringMatching(
          /^ {2}x {2}broken {2}invalid: The frontmatter has no 'description'\..*\(line 2, column 1\)$/,
        ),
        `user  ${root}/user/.claude/skills`,
        `  ~  pdf  shadowed by ${root}/user/.agents/skills/pdf`,
      ]),
    );
    expect(result.stdout).toMatch(/^\d+ skills: \d+ enabled, 1 disabled, 1 shadowed, 1 locked, 1 invalid\.$/m);
    // The shadowed skill. A locked one has its own hint.
    expect(result.stdout).toMatch(/^1 warning: run 'skillset doctor'\.$/m);
  });

  test("an unavailable skill is listed with what it lacks", async () => {
    const files = {
      "s/a/SKILL.md": "---\nname: a\ndescription: A.\nmetadata:\n  env: NOT_HERE\n  requires: no-such-program-x\n---\n",
    };
    const { stdout } = await list(files, "s", "--all");
    expect(stdout).toContain(
      "  !  a  unavailable: the command 'no-such-program-x' is not on PATH; the variable 'NOT_HERE' is not set\n",
    );
    expect(stdout).toContain("1 skill: 1 unavailable.\n2 warnings: run 'skillset doctor s'.\n");
    const [skill] = JSON.parse((await list(files, "s", "--json")).stdout).skills;
    expect(skill).toMatchObject({
      status: "unavailable",
      unmet: [
        { kind: "command", name: "no-such-program-x" },
        { kind: "env", name: "NOT_HERE" },
      ],
    });
  });

  test("shows the version of a skill beside its name", async () => {
    const versioned = (name: string, version: string) =>
      `---\nname: ${name}\ndescription: Does ${name}.\nmetadata:\n  version: ${version}\n---\n`;
    const files = {
      "s/a/SKILL.md": versioned("a", '"1.2.0"'),
      "s/b/SKILL.md": skillMd("b", "B."),
      "t/a/SKILL.md": versioned("a", '"2.0.0"'),
      "t/long/SKILL.md": versioned("long", `"${"9".repeat(100)}\\e[31m"`),
    };
    const { stdout } = await list(files, "s", "t");
    expect(stdout).toMatch(/^ {2}\+ {2}a 1\.2\.0 {2}Does a\.$/m);
    expect(stdout).toMatch(/^ {2}\+ {2}b {8}B\.$/m);
    expect(stdout).toMatch(/^ {2}~ {2}a 2\.0\.0 +shadowed by s\/a \(version 1\.2\.0\)$/m);
    expect(stdout).toContain(`long ${"9".repeat(39)}`);
    expect(stdout).not.toContain("9".repeat(40));
    const { skills } = JSON.parse((await list(files, "s", "--json")).stdout);
    expect(skills.map(({ version }: { version?: string }) => version)).toEqual(["1.2.0", undefined]);
  });

  test("uses symbols and cuts descriptions on a terminal", async () => {
    const cwd = temporaryFolder({
      "a/SKILL.md": skillMd("a", "word ".repeat(60).trim()),
      "b/SKILL.md": "no frontmatter",
    });
    const { stdout } = await runCaptured(["list", "."], { cwd, isTTY: true, env: { NO_COLOR: "1" } });
    expect(stdout).toMatch(/^ {2}✓ {2}a {2}word .*…$/m);
    expect(stdout).toMatch(/^ {2}✗ {2}b {2}invalid: /m);
  });

  test("--all adds full descriptions, warnings and missing folders", async () => {
    const long = "word ".repeat(60).trim();
    const { stdout } = await list({ "skills/a/SKILL.md": skillMd("A", long) }, "skills", "--all");
    expect(stdout).toContain(long);
    expect(stdout).toContain("warning: The name 'A' must be lowercase.");
    expect((await list({}, "--all")).stdout).toMatch(/^missing {2}\.agents\/skills$/m);
  });

  test("reports that there are no skills", async () => {
    const { stdout } = await list({ "skills/README.md": "" }, "skills");
    expect(stdout).toContain("No skills found.");
    expect(stdout).not.toContain("--bundled");
  });

  test("shows no bundled skill, and says where it searched and how to see the bundled ones", async () => {
    const { code, stdout } = await list({});
    expect(code).toBe(0);
    expect(stdout).toContain("No skills found.");
    expect(stdout).toContain(
      "Searched .agents/skills, .claude/skills, .agent/skills, skills and .skills in this folder and its parents",
    );
    expect(stdout).toContain("To see the skills that come with skillset, add '--bundled'.");
  });

  test.each([[["--bundled"]], [["s", "--bundled"]]])("%j adds the bundled skills, after all others", async (argv) => {
    const { stdout } = await list({ "s/code-review/SKILL.md": skillMd("code-review", "Mine.") }, ...argv, "--json");
    const rows: { name: string; scope: string; status: string }[] = JSON.parse(stdout).skills;
    const bundled = rows.filter(({ scope }) => scope === "bundled");
    expect(bundled.length).toBeGreaterThan(3);
    const status = argv.includes("s") ? "shadowed" : "enabled";
    expect(bundled).toContainEqual(expect.objectContaining({ name: "code-review", status }));
  });

  test("text from files cannot control the terminal", async () => {
    const { stdout } = await list(
      { "s/a/SKILL.md": '---\nname: a\ndescription: "\\e[2Jx\\n\\e]0;owned\\a"\n---\n', "s/b\u001b[31m/SKILL.md": "" },
      "s",
      "--all",
    );
    expect(stdout).not.toContain("\u001b");
  });
});

describe("skillset list --json", () => {
  test("prints skills, problems and collisions with winner and losers", async () => {
    const { cwd, code, stdout } = await list(
      {
        "one/pdf/SKILL.md": skillMd("pdf"),
        "two/pdf/SKILL.md": skillMd("pdf"),
        "three/pdf/SKILL.md": skillMd("pdf"),
        "three/bad/SKILL.md": "",
      },
      "one",
      "two",
      "three",
      "--json",
    );
    const result = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(Object.keys(result)).toEqual(["skills", "problems", "collisions"]);
    expect(result.collisions).toEqual([
      { name: "pdf", winner: `${cwd}/one/pdf`, losers: [`${cwd}/two/pdf`, `${cwd}/three/pdf`] },
    ]);
    expect(result.skills[0]).toEqual({
      name: "pdf",
      description: "Does pdf. Use when asked for pdf.",
      status: "enabled",
      scope: "given",
      path: `${cwd}/one/pdf`,
      root: `${cwd}/one`,
      allowedTools: [],
      metadata: {},
      modelInvocable: true,
      userInvocable: true,
    });
    expect(result.skills.map(({ status }: { status: string }) => status)).toEqual([
      "enabled",
      "shadowed",
      "invalid",
      "shadowed",
    ]);
    expect(result.skills[1].reason).toBe(`shadowed by ${cwd}/one/pdf`);
    expect(result.problems).toContainEqual(
      expect.objectContaining({ code: "frontmatter-missing", severity: "error", path: `${cwd}/three/bad/SKILL.md` }),
    );
  });

  test("prints the fields of the frontmatter", async () => {
    const frontmatter =
      "name: a\ndescription: A.\nlicense: MIT\ncompatibility: Any\nallowed-tools: Read Bash(git:*)\nmetadata:\n  team: x\ndisable-model-invocation: true";
    const { stdout } = await list({ "s/a/SKILL.md": `---\n${frontmatter}\n---\n` }, "s", "--json");
    expect(JSON.parse(stdout).skills[0]).toMatchObject({
      license: "MIT",
      compatibility: "Any",
      allowedTools: ["Read", "Bash(git:*)"],
      metadata: { team: "x" },
      modelInvocable: false,
      userInvocable: true,
    });
  });

  test("is JSON for an empty set, and for more than one chunk", async () => {
    expect(JSON.parse((await list({ "s/README.md": "" }, "s", "--json")).stdout)).toMatchObject({
      skills: [],
      collisions: [],
    });
    const cwd = temporaryFolder();
    for (let index = 0; index < 300; index++)
      writeFiles(cwd, { [`s${index}/SKILL.md`]: skillMd(`s${index}`, "é€😀".repeat(100)) });
    const { stdout } = await runCaptured(["list", ".", "--json"], { cwd });
    expect(stdout.length).toBeGreaterThan(100_000);
    expect(
      JSON.parse(stdout).skills.every(({ description }: { description: string }) => description === "é€😀".repeat(100)),
    ).toBe(true);
  });
});

describe("selecting skills", () => {
  const files = Object.fromEntries(["alpha", "beta", "gamma"].map((name) => [`s/${name}/SKILL.md`, skillMd(name)]));
  const statuses = async (...argv: string[]) => {
    const { stdout } = await list(files, "s", "--json", ...argv);
    return JSON.parse(stdout).skills.map(({ status, reason }: { status: string; reason?: string }) => reason ?? status);
  };

  test("--enable and --disable select skills by name", async () => {
    expect(await statuses("--enable", "alpha", "--enable", "beta")).toEqual([
      "enabled",
      "enabled",
      "not among the enabled skills",
    ]);
    expect(await statuses("--disable", "alpha")).toEqual(["disabled", "enabled", "enabled"]);
  });

  test("--enable and --disable take globs, and --disable wins", async () => {
    expect(await statuses("--enable", "*a", "--disable", "b*")).toEqual(["enabled", "matches 'b*'", "enabled"]);
  });

  test("--max-skills leaves out the rest, with a reason", async () => {
    expect(await statuses("--max-skills", "2")).toEqual(["enabled", "enabled", "over the limit of 2 skills"]);
  });

  test("--recursive finds skills in subfolders", async () => {
    const { cwd } = await list({});
    writeFiles(cwd, { "deep/er/SKILL.md": skillMd("er") });
    writeFileSync(join(cwd, "file"), "");
    expect(JSON.parse((await runCaptured(["list", ".", "--json"], { cwd })).stdout).skills).toEqual([]);
    expect(JSON.parse((await runCaptured(["list", ".", "--json", "--recursive"], { cwd })).stdout).skills).toHaveLength(
      1,
    );
  });
});

describe("skillset list reports skills that it does not show", () => {
  test("skills in deeper folders, with the option that finds them", async () => {
    const files = { "skills/a/SKILL.md": skillMd("a"), "skills/b/SKILL.md": skillMd("b") };
    const { stdout } = await list(files, ".");
    expect(stdout).toContain(
      "No skills found here.\n2 skills are not loaded (skills/a, skills/b): they are more than 1 level below",
    );
    expect(stdout).toContain("--recursive");
    expect(stdout).not.toContain("skillset new");
  });

  test("skills below a skill, and skills in folders that are too deep", async () => {
    const files = {
      "a/SKILL.md": skillMd("a"),
      "a/b/SKILL.md": skillMd("b"),
      "1/2/3/4/5/6/7/c/SKILL.md": skillMd("c"),
    };
    const { cwd, stdout } = await list(files, ".", "--recursive");
    expect(stdout).toContain("1 skill below 'a' is loaded only if passed by path");
    expect(stdout).toContain("1 skill is not loaded (1/2/3/4/5/6/7/c): it is more than 6 levels below");
    const doctor = (await runCaptured(["doctor", ".", "--recursive"], { cwd })).stdout;
    expect(doctor).toContain("[skills-not-read]");
    expect(doctor).toContain("[scan-limit]");
  });

  test("doctor lists skills below a skill without --recursive too", async () => {
    const cwd = temporaryFolder({ "a/SKILL.md": skillMd("a"), "a/b/SKILL.md": skillMd("b") });
    expect((await runCaptured(["doctor", "."], { cwd })).stdout).toContain(
      "1 skill below 'a' is loaded only if passed by path",
    );
  });
});
