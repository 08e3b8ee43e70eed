import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { RULE_HELP } from "../../../node/config/rule-help.ts";
import { runCaptured } from "../../run-captured.ts";

const FILES = {
  "s/good/SKILL.md": skillMd("good"),
  "s/100%, a: b/SKILL.md": "---\nname: x\nversion: 1\n---\n\n[x](y.md)\n",
  "s/misspelt/skill.md": skillMd("misspelt"),
};

async function validate(format: string, files: Readonly<Record<string, string>> = FILES, env = {}, ...argv: string[]) {
  const cwd = temporaryFolder(files);
  return { cwd, ...(await runCaptured(["validate", "s", "--format", format, ...argv], { cwd, env })) };
}

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly [
    { physicalLocation: { artifactLocation: { uri: string }; region?: { startLine: number; startColumn?: number } } },
  ];
}

describe("--format sarif", () => {
  test("lists rules with help, levels and locations", async () => {
    const { code, stdout } = await validate("sarif");
    expect(code).toBe(1);
    const { version, runs } = JSON.parse(stdout);
    expect({ version, count: runs.length }).toEqual({ version: "2.1.0", count: 1 });
    const { tool, results } = runs[0] as {
      tool: { driver: { name: string; rules: { id: string }[] } };
      results: Result[];
    };
    expect(tool.driver.name).toBe("skillset");
    for (const { id, ...rule } of tool.driver.rules) {
      const text = RULE_HELP[id as keyof typeof RULE_HELP];
      expect(rule).toEqual({
        shortDescription: { text: expect.stringMatching(/\.$/) },
        fullDescription: { text },
        help: { text },
      });
    }
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(
      results.map(({ ruleId, level, locations: [{ physicalLocation: place }] }) => [ruleId, level, place]),
    ).toEqual([
      ["description-missing", "error", expect.anything()],
      ["name-folder-mismatch", "warning", expect.anything()],
      [
        "reference-missing",
        "warning",
        {
          artifactLocation: { uri: "s/100%25%2C%20a%3A%20b/SKILL.md" },
          region: { startLine: 6, startColumn: 3 },
        },
      ],
      ["skill-md-misnamed", "warning", { artifactLocation: { uri: "s/misspelt/skill.md" } }],
      ["field-unknown", "note", expect.anything()],
    ]);
  });

  test("has a help for unknown fields that moves none that an agent reads", () => {
    expect(RULE_HELP["field-unknown"]).toContain("leave it if an agent reads it, or put it under 'metadata'.");
  });

  test("has a run without results if there are no problems", async () => {
    const { code, stdout } = await validate("sarif", { "s/good/SKILL.md": skillMd("good") });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).runs[0].results).toEqual([]);
  });
});

describe("paths in reports", () => {
  test("start at the root of the checkout in GitHub Actions", async () => {
    const root = temporaryFolder({ "project/s/a/SKILL.md": "" });
    const cwd = join(root, "project");
    const run = async (checkout: string) =>
      (await runCaptured(["validate", "s", "--format", "github"], { cwd, env: { GITHUB_WORKSPACE: checkout } })).stdout;
    expect(await run(root)).toContain("file=project/s/a/SKILL.md,");
    expect(await run("/elsewhere")).toContain("file=s/a/SKILL.md,");
  });

  test("are absolute outside the working directory", async () => {
    const root = temporaryFolder({ "s/a b/SKILL.md": "", "here/README.md": "" });
    const run = async (format: string) =>
      (await runCaptured(["validate", "../s", "--format", format], { cwd: join(root, "here") })).stdout;
    expect(await run("github")).toContain(`file=${root}/s/a b/SKILL.md,`);
    expect(await run("sarif")).toContain(`"uri": "file://${root}/s/a%20b/SKILL.md"`);
  });
});

describe("--format github", () => {
  test("writes a workflow command for each finding, errors first", async () => {
    const { code, stdout } = await validate("github");
    expect(code).toBe(1);
    const lines = stdout.split("\n");
    expect(lines.map((line) => line.split(" ", 1)[0])).toEqual([
      "::error",
      "::warning",
      "::warning",
      "::warning",
      "::notice",
      "1",
      "",
    ]);
    expect(lines[2]).toBe(
      "::warning file=s/100%25%2C a%3A b/SKILL.md,line=6,col=3,title=reference-missing::'y.md' does not exist in this skill. Fix: Add the file, or correct the path.",
    );
    expect(lines[5]).toBe("1 of 2 skills is invalid (100%, a: b); 1 error, 3 warnings.");
  });
});

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** The elements of a document in order; throws if it is not well-formed. */
function parseXml(xml: string): readonly Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes, text: "" };
    elements.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  return elements;
}

describe("--format junit", () => {
  test("has a test case for each skill, and for problems without a skill", async () => {
    const { code, stdout } = await validate("junit");
    expect(code).toBe(1);
    const elements = parseXml(stdout);
    expect(elements.map(({ name, attributes }) => [name, attributes.name ?? attributes.type])).toEqual([
      ["testsuites", undefined],
      ["testsuite", "skillset validate"],
      ["testcase", "100%, a: b"],
      ["failure", "description-missing"],
      ["system-out", undefined],
      ["testcase", "good"],
      ["testcase", "search"],
      ["system-out", undefined],
    ]);
    expect(elements[0]?.attributes).toEqual({ tests: "3", failures: "1", errors: "0" });
    expect(elements[2]?.attributes).toMatchObject({ classname: "s/100%, a: b", file: "s/100%, a: b/SKILL.md" });
    expect(elements[4]?.text).toContain("s/100%, a: b/SKILL.md:6:3: warning: 'y.md' does not exist in this skill.");
  });
});

describe("hostile skills", () => {
  const NASTY = '::error::boom ##[stop-commands]x ##vso[task]y <x a="&]]>{0} [l](http://e)\u001b[31m\u202e\u0085';
  /** Skills with that in a folder's name, a name, a field, a link and a file's name. */
  function hostile() {
    const name = NASTY.replaceAll("/", "");
    const text = `---\nname: ${JSON.stringify(`${NASTY}\n::warning::z`)}\n${JSON.stringify(NASTY)}: 1\n---\n[x](a%0A::error::b##[c].md)\n`;
    const cwd = temporaryFolder({ [`${name}/SKILL.md`]: text, [`${name}/${name}.md`]: "x" });
    mkdirSync(join(cwd, "empty"));
    return cwd;
  }
  const run = async (format: string) =>
    (await runCaptured(["validate", ".", "--format", format], { cwd: hostile() })).stdout;

  test.each(["text", "json", "sarif", "github", "junit"])(
    "cannot control a terminal or a CI service through %s",
    async (format) => {
      const stdout = await run(format);
      expect(stdout.length).toBeGreaterThan(300);
      expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
      const commands = stdout.split("\n").filter((line) => /^\s*::/.test(line));
      if (format === "github") {
        // Every command in the output was written by skillset.
        for (const line of commands)
          expect(line).toMatch(/^::(?:error|warning|notice) file=[^:,]*(?:,(?:line|col)=\d+)*,title=[a-z-]+::/);
        expect(
          stdout
            .split("\n")
            .filter((line) => !line.startsWith("::"))
            .join("\n"),
        ).not.toMatch(/##\w*\[/);
      } else {
        expect(commands).toEqual([]);
        expect(stdout).not.toMatch(/##\w*\[/);
      }
    },
  );

  test("are only text in XML and JSON", async () => {
    const elements = parseXml(await run("junit"));
    expect(new Set(elements.map(({ name }) => name))).toEqual(
      new Set(["testsuites", "testsuite", "testcase", "failure", "system-out"]),
    );
    const { runs } = JSON.parse(await run("sarif"));
    const messages = (runs[0].results as Result[]).map(({ message }) => message.text).join("\n");
    expect(messages).toContain("##[stop-commands]");
    expect(messages).toContain("{{0}}");
    expect(messages).not.toContain("](");
  });
});

describe("the options", () => {
  test("--json is short for --format json", async () => {
    const { stdout } = await validate("json");
    expect(Object.keys(JSON.parse(stdout))).toEqual(["valid", "skills", "problems"]);
    const { code, stderr } = await validate("sarif", FILES, {}, "--json");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "'--json' means '--format json', and cannot be used with '--format sarif'.\n",
    });
  });

  test("--quiet leaves only errors in every format", async () => {
    for (const format of ["json", "sarif", "github", "junit"]) {
      const { stdout } = await validate(format, FILES, {}, "--quiet");
      expect(stdout).toContain("description-missing");
      expect(stdout).not.toContain("reference-missing");
    }
  });

  test("an unknown format is refused, and the nearest one is suggested", async () => {
    const { code, stderr } = await validate("sarf");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "'--format' takes text, json, sarif, github or junit, not 'sarf'; did you mean 'sarif'?\n",
    });
  });
});
