import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { runCaptured, type World } from "../../run-captured.ts";

const COLON = "---\nname: deploy\ndescription: Deploys the app. Use when: asked to ship\n---\n\n# Deploy\n";

async function doctor(cwd: string, argv: readonly string[], world: Partial<World> = {}) {
  return runCaptured(["doctor", "s", ...argv], { cwd, ...world });
}

async function problemsIn(cwd: string): Promise<string[]> {
  const { stdout } = await runCaptured(["list", "s", "--json"], { cwd });
  return JSON.parse(stdout).problems.map(({ code }: { code: string }) => code);
}

describe("skillset doctor", () => {
  test("reports equal descriptions under names that have nothing in common", async () => {
    const cwd = temporaryFolder({
      "s/tea/SKILL.md": skillMd("tea", "Makes drinks."),
      "s/plumbing/SKILL.md": skillMd("plumbing", "Makes drinks."),
    });
    const { stdout } = await doctor(cwd, ["--json"]);
    expect(JSON.parse(stdout).similar).toEqual([{ a: "plumbing", b: "tea", similarity: 1 }]);
  });

  test("an unavailable skill is shown with how to make it available", async () => {
    const cwd = temporaryFolder({
      "s/a/SKILL.md": "---\nname: a\ndescription: A.\nmetadata:\n  version: 0.3.0\n  requires-skills: b\n---\n",
    });
    const { stdout } = await doctor(cwd, []);
    expect(stdout).toContain(
      "  !  a 0.3.0  unavailable: it requires the skill 'b', which is missing\n" +
        "     s/a/SKILL.md: warning: 'a' is unavailable: it requires the skill 'b', which is missing. [requirement-unmet]\n" +
        "         fix: Add the skill 'b'.\n",
    );
    const [skill] = JSON.parse((await doctor(cwd, ["--json"])).stdout).skills;
    expect(skill).toMatchObject({
      version: "0.3.0",
      status: "unavailable",
      reason: "it requires the skill 'b', which is missing",
    });
  });

  test("reports why skills are hidden, their token costs, and similar descriptions", async () => {
    const description = "Makes charts from tables of numbers. Use when someone asks for a chart or a plot.";
    const cwd = temporaryFolder({
      "s/charts/SKILL.md": skillMd("charts", description),
      "s/chart/SKILL.md": skillMd("chart", description),
      "s/bad/SKILL.md": "",
      "s/hidden/SKILL.md": "---\nname: hidden\ndescription: Hides.\ndisable-model-invocation: true\n---\nx\n",
      "s/z/SKILL.md": skillMd("charts"),
      "s/spelt/skill.md": skillMd("spelt"),
    });
    const { code, stdout } = await doctor(cwd, ["--budget", "30"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Models see 2 skills.");
    expect(stdout).toMatch(/^ {2}x {2}bad {2}invalid\n {5}s\/bad\/SKILL\.md:1:1: error: .* \[frontmatter-missing\]$/m);
    expect(stdout).toMatch(/^ {2}\+ {2}hidden {2}only users can invoke it/m);
    expect(stdout).toMatch(/^ {2}~ {2}charts {2}shadowed by s\/charts$/m);
    expect(stdout).toMatch(/^ {2}s\/spelt\/skill\.md: warning: 'skill\.md' is ignored/m);
    expect(stdout).toMatch(/About \d+ tokens for 2 skills: over the budget of 30\./);
    expect(stdout).toMatch(/Largest: charts? \(\d+\), charts? \(\d+\)/);
    expect(stdout).toMatch(/^ {2}charts? and charts? \(\d+% similar\)/m);
    expect(stdout).toContain(
      "2 skills can be fixed: run 'skillset doctor s --fix', which shows the changes and asks.\n" +
        "1 skill would get another name, which users and other files may refer to.\n",
    );
  });

  test("lists the standard folders that do not exist", async () => {
    const { stdout } = await runCaptured(["doctor"], { cwd: temporaryFolder() });
    expect(stdout).toMatch(/^ {2}Not found, which is normal: \.agents\/skills, .*\bskills, /m);
  });

  test("shows one of the skills with the same problem, and how many more there are", async () => {
    const many = Array.from({ length: 30 }, (_, index) => `s${index}`);
    const cwd = temporaryFolder(Object.fromEntries(many.map((name) => [`skills/${name}/SKILL.md`, skillMd(name)])));
    const { stdout } = await runCaptured(["doctor"], { cwd });
    expect(stdout).toContain(" s0  locked: not trusted yet\n     29 more like this: s1, s10, s11, s12, …\n");
    expect(stdout).toContain("30 skills of this project are locked. Review them, then run 'skillset trust'.\n");
    expect(stdout.split("\n").length).toBeLessThan(25);
    const list = await runCaptured(["list"], { cwd });
    expect(list.stdout.match(/skillset trust/g)).toHaveLength(1);
  });

  test("shows one of the skills that others shadow, and how many more there are", async () => {
    const many = Array.from({ length: 30 }, (_, index) => `s${index}`);
    const cwd = temporaryFolder(
      Object.fromEntries(many.flatMap((name) => ["s", "t"].map((at) => [`${at}/${name}/SKILL.md`, skillMd(name)]))),
    );
    const { stdout } = await doctor(cwd, ["t"]);
    expect(stdout).toContain(" s0  shadowed by s/s0\n     29 more like this: s1, s10, s11, s12, …\n");
  });

  test("does not call the skills of a collection with a SKILL.md not loaded", async () => {
    const many = Array.from({ length: 10 }, (_, index) => `s/plugins/p${index}/SKILL.md`);
    const paths = [...many, "s/skills/SKILL.md", "s/skills/a/SKILL.md", "s/plugins/SKILL.md"];
    const cwd = temporaryFolder(Object.fromEntries(paths.map((path) => [path, skillMd(path.split("/").at(-2) ?? "")])));
    const { stdout } = await doctor(cwd, ["--recursive"]);
    expect(stdout).toContain("Models see 13 skills.");
    expect(stdout).not.toContain("skills-not-read");
    // One level down, each is reported once, and with the reason.
    const { stdout: shallow } = await doctor(cwd, []);
    expect(shallow).toContain("10 skills below 'plugins' are loaded only if passed by path (p0, p1, p2, …)");
    expect(shallow).toContain("1 skill is not loaded (skills/a): it is more than 1 level below 's'.");
    expect(shallow.match(/skills-not-read/g)).toHaveLength(2);
  });

  test("--json prints the same as JSON", async () => {
    const cwd = temporaryFolder({ "s/deploy/SKILL.md": COLON });
    const { stdout } = await doctor(cwd, ["--json"]);
    expect(JSON.parse(stdout)).toEqual({
      skills: [
        {
          name: "deploy",
          status: "enabled",
          path: `${cwd}/s/deploy`,
          problems: [expect.objectContaining({ code: "frontmatter-repaired" })],
        },
      ],
      problems: [],
      catalog: {
        skills: 1,
        tokens: expect.any(Number),
        budget: 8_000,
        shortened: [],
        nameOnly: [],
        omitted: [],
        largest: [{ name: "deploy", tokens: expect.any(Number) }],
      },
      similar: [],
      fixes: [
        {
          name: "deploy",
          path: `${cwd}/s/deploy/SKILL.md`,
          changes: [expect.any(String)],
          diff: expect.stringContaining('+description: "'),
          applied: false,
        },
      ],
    });
  });
});

describe("skillset doctor --fix", () => {
  test("without a terminal shows the diff, changes nothing and exits with 1", async () => {
    const cwd = temporaryFolder({ "s/deploy/SKILL.md": COLON });
    const { code, stdout, stderr } = await doctor(cwd, ["--fix"]);
    expect(code).toBe(1);
    expect(stdout).toBe(
      "deploy: The value of 'description' is not valid YAML. It is read as text.\n" +
        "--- s/deploy/SKILL.md\n+++ s/deploy/SKILL.md\n@@ -1,6 +1,6 @@\n ---\n name: deploy\n" +
        '-description: Deploys the app. Use when: asked to ship\n+description: "Deploys the app. Use when: asked to ship"\n ---\n \n # Deploy\n\n',
    );
    expect(stderr).toMatch(/^Nothing was changed. Add --yes/);
    expect(readFileSync(join(cwd, "s/deploy/SKILL.md"), "utf8")).toBe(COLON);
  });

  test.each([
    ["y\n", true],
    ["yes\n", true],
    ["n\n", false],
    ["\n", false],
  ])("on a terminal, %j decides", async (answer, changes) => {
    const cwd = temporaryFolder({ "s/deploy/SKILL.md": COLON });
    const { code, stderr } = await doctor(cwd, ["--fix"], { answer });
    expect(stderr).toContain("Apply these changes to 1 skill? [y/N] ");
    expect(code).toBe(changes ? 0 : 1);
    expect(readFileSync(join(cwd, "s/deploy/SKILL.md"), "utf8") !== COLON).toBe(changes);
  });

  test("keeps the byte order mark, CRLF, the body and the mode", async () => {
    const body = "\r\n\r\n# Deploy  \r\n\tmixed\nline ends \u00e9\r\n---\r\nend without newline";
    const text = `\ufeff---\r\nname: Deploy\r\ndescription: Ships: now\r\n---${body}`;
    const cwd = temporaryFolder({ "s/deploy/SKILL.md": text });
    const file = join(cwd, "s/deploy/SKILL.md");
    chmodSync(file, 0o640);
    expect((await doctor(cwd, ["--fix", "--yes"])).code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(`\ufeff---\r\nname: deploy\r\ndescription: "Ships: now"\r\n---${body}`);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(cwd, "s/deploy"))).toEqual(["SKILL.md"]);
    expect(await problemsIn(cwd)).toEqual([]);
  });

  test("a field that could not be read becomes a comment", async () => {
    const cwd = temporaryFolder({
      "s/a/SKILL.md": "---\nname: a\ndescription: One: two\n  three: four\nname: again\n---\nText\n",
    });
    await doctor(cwd, ["--fix", "--yes"]);
    expect(readFileSync(join(cwd, "s/a/SKILL.md"), "utf8")).toBe(
      '---\nname: a\ndescription: "One: two three: four"\n# name: again\n---\nText\n',
    );
    expect(await problemsIn(cwd)).toEqual([]);
  });

  test.each([
    ["another name", "name: other", "name: my-skill"],
    ["capital letters and a comment", "name: My-Skill # mine", "name: my-skill # mine"],
    ["a block", "name: >\n  My\n  Skill", "name: my-skill"],
    ["spaces around the name", 'name: " my-skill "', "name: my-skill"],
    ["no name", "", "name: my-skill"],
    ["an empty name", "name:", "name: my-skill"],
  ])("the name of a valid folder becomes the skill's name: %s", async (_what, written, fixed) => {
    const rest = "description: Mine.\n---\nText\n";
    const cwd = temporaryFolder({ "s/my-skill/SKILL.md": `---\n${written}${written && "\n"}${rest}` });
    await doctor(cwd, ["--fix", "--yes"]);
    expect(readFileSync(join(cwd, "s/my-skill/SKILL.md"), "utf8")).toBe(`---\n${fixed}\n${rest}`);
    expect(await problemsIn(cwd)).toEqual([]);
  });

  test("a folder with an invalid name is renamed with the skill, unless the new name is taken", async () => {
    const cwd = temporaryFolder({
      "s/My_Skill/SKILL.md": skillMd("My_Skill"),
      "s/Taken/SKILL.md": skillMd("Taken"),
      "s/taken/SKILL.md": skillMd("taken"),
    });
    const { stdout } = await doctor(cwd, ["--fix", "--yes"]);
    expect(stdout).toContain("my-skill: 'My_Skill' is renamed to 'my-skill'.");
    expect(readdirSync(join(cwd, "s")).sort()).toEqual(["Taken", "my-skill", "taken"]);
    expect(await problemsIn(cwd)).toEqual(["name-uppercase"]);
  });

  test.each(["My_Skill", "."])(
    "a folder that was named as a path and a repository keep their names: %s",
    async (path) => {
      const cwd = temporaryFolder({
        "My_Skill/SKILL.md": skillMd("My_Skill"),
        ...(path === "." && { "My_Skill/.git/HEAD": "" }),
      });
      const { stdout } = await runCaptured(["doctor", path, "--fix", "--yes"], { cwd });
      expect(stdout).toContain("[name-characters]");
      expect(readdirSync(cwd)).toEqual(["My_Skill"]);
    },
  );

  test.each(["skill.md", "Skill.MD", "SKILL.markdown"])(
    "%s is renamed to SKILL.md, and its problems are fixed",
    async (name) => {
      const cwd = temporaryFolder({ [`s/deploy/${name}`]: COLON });
      const { code, stdout } = await doctor(cwd, ["--fix", "--yes"]);
      expect(code).toBe(0);
      expect(stdout).toContain(`deploy: '${name}' is renamed to 'SKILL.md'.`);
      expect(readdirSync(join(cwd, "s/deploy"))).toEqual(["SKILL.md"]);
      expect(await problemsIn(cwd)).toEqual([]);
    },
  );

  test("a misspelt file in a folder that was named as a path is renamed, and the folder is not", async () => {
    const cwd = temporaryFolder({ "My_Skill/skill.md": skillMd("My_Skill") });
    const { stdout } = await runCaptured(["doctor", "My_Skill", "--fix", "--yes"], { cwd });
    expect(stdout).toContain("Fixed 1 skill.");
    expect(existsSync(join(cwd, "My_Skill/SKILL.md"))).toBe(true);
  });

  test("files that are not skills are not changed", async () => {
    const cwd = temporaryFolder({
      "s/notes/skills.md": "# Skills that I have\n",
      "s/bad/SKILL.md": "---\nname: bad\n",
    });
    mkdirSync(join(cwd, "s/empty"));
    writeFileSync(join(cwd, "s/bad/other.txt"), "");
    const { code, stdout } = await doctor(cwd, ["--fix", "--yes"]);
    expect(code).toBe(0);
    expect(stdout).not.toContain("Fixed");
    expect(existsSync(join(cwd, "s/notes/skills.md"))).toBe(true);
  });
});

describe("skillset doctor --fix keeps lists as lists", () => {
  const skill = (lines: string) => `---\nname: a\ndescription: Does: it.\n${lines}\n---\nDo it.\n`;

  test.each([
    ["keywords: [@x, y]", 'keywords: ["@x", y]'],
    ["keywords:\n  - @x\n  - y", 'keywords:\n  - "@x"\n  - y'],
    ['dependencies:\n- "b" (>= 1)\n- c', 'dependencies:\n- "\\"b\\" (>= 1)"\n- c'],
    ["metadata:\n  tags: y\n  x: `y`", 'metadata:\n  tags: y\n  x: "`y`"'],
  ])("%j becomes %j", async (before, after) => {
    const cwd = temporaryFolder({ "a/SKILL.md": skill(before) });
    expect((await runCaptured(["doctor", ".", "--fix", "--yes"], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, "a/SKILL.md"), "utf8")).toBe(skill(after).replace("Does: it.", '"Does: it."'));
  });

  test.each(["keywords: [x, y", 'keywords: ["x" z, y]', "keywords: {x: [y}", 'keywords:\n  - "x\n  - y'])(
    "%j is not changed, because its meaning is a guess",
    async (list) => {
      const cwd = temporaryFolder({ "a/SKILL.md": skill(list) });
      await runCaptured(["doctor", ".", "--fix", "--yes"], { cwd });
      expect(readFileSync(join(cwd, "a/SKILL.md"), "utf8")).toBe(skill(list));
    },
  );
});

test("shows in which sandbox scripts run, if there are scripts", async () => {
  const cwd = temporaryFolder({ "s/a/SKILL.md": skillMd("a"), "t/b/SKILL.md": skillMd("b"), "t/b/scripts/x.sh": "" });
  expect((await runCaptured(["doctor", "s"], { cwd })).stdout).not.toContain("Scripts");
  const { stdout } = await runCaptured(["doctor", "t"], { cwd });
  expect(stdout).toMatch(
    /\nScripts\n {2}They (?:run with the runner '(?:bubblewrap|embedded)'\.|cannot run: no sandbox works here)/,
  );
});

test("shows packages that are not installed, and declarations that are refused", async () => {
  const cwd = temporaryFolder({
    "s/a/SKILL.md": skillMd("a"),
    "s/a/scripts/x.py": "",
    "s/a/requirements.txt": "no-such-package-of-ours\n",
    "s/b/SKILL.md": skillMd("b"),
    "s/b/package.json": '{"dependencies": {"c": "file:../c"}}',
  });
  const { stdout } = await runCaptured(["doctor", "s"], { cwd });
  if (stdout.includes("They run in bubblewrap."))
    expect(stdout).toContain(
      "  The packages of 'a' are not installed. To install them, run: skillset run a --prepare\n",
    );
  if (stdout.includes("They run in"))
    expect(stdout).toContain(
      "  The packages of 'b' cannot be installed: package.json, line 1: only versions of the registry",
    );
});

test("'doctor --fix' replaces a SKILL.md that is a link within the skill, and keeps the link's target", async () => {
  const broken = skillMd("Deploy");
  const cwd = temporaryFolder({ "s/deploy/docs/s.md": broken });
  symlinkSync("docs/s.md", join(cwd, "s/deploy/SKILL.md"));
  const { code } = await runCaptured(["doctor", "s", "--fix", "--yes"], { cwd });
  expect(code).toBe(0);
  expect(readFileSync(join(cwd, "s/deploy/SKILL.md"), "utf8")).toContain("name: deploy");
  expect(readFileSync(join(cwd, "s/deploy/docs/s.md"), "utf8")).toBe(broken);
});
