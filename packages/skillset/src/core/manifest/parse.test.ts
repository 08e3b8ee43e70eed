import { describe, expect, test } from "vitest";
import { SkillValidationError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { type ParseOptions, parseSkillMd, readSkillMd } from "./parse.ts";
import { resolvePolicy } from "./policy.ts";

const lenient = (text: string, folder = "pdf") =>
  readSkillMd(text, { policy: resolvePolicy(), folder, path: `/s/${folder}/SKILL.md` });
const codes = (text: string, options: ParseOptions = {}) => {
  const { problems } = readSkillMd(text, { policy: resolvePolicy(options), folder: options.folder ?? "pdf" });
  return problems.map(({ code }) => code);
};
const head = (fields: string) => `---\n${fields}\n---\nBody\n`;

describe("a well-formed SKILL.md", () => {
  const full = `---
name: pdf
description: |
  Reads PDFs.
  Use for forms: all of them.
license: MIT
compatibility: Needs poppler
metadata:
  author: Ann
  version: "1.0"
allowed-tools: Bash(git add:*) Read
---

# PDF

Do it.
`;

  test("keeps license, compatibility, metadata and allowed-tools", () => {
    expect(parseSkillMd(full, { folder: "pdf" })).toMatchObject({
      name: "pdf",
      license: "MIT",
      compatibility: "Needs poppler",
      metadata: { author: "Ann", version: "1.0" },
      problems: [],
    });
  });

  test("a block scalar description keeps its lines", () => {
    expect(parseSkillMd(full).description).toBe("Reads PDFs.\nUse for forms: all of them.");
  });

  test("allowed-tools is split at spaces, but not inside parentheses", () => {
    expect(parseSkillMd(full).allowedTools).toEqual(["Bash(git add:*)", "Read"]);
  });

  test("the body is the text below the frontmatter", () => {
    expect(parseSkillMd(full).body).toBe("# PDF\n\nDo it.");
  });

  test.each([
    ["a byte order mark", `\ufeff${full}`],
    ["CRLF line ends", full.replaceAll("\n", "\r\n")],
    ["spaces behind the delimiters", full.replaceAll("---\n", "---  \t\n")],
  ])("%s changes nothing", (_, text) => {
    expect(parseSkillMd(text, { folder: "pdf" })).toEqual(parseSkillMd(full, { folder: "pdf" }));
  });

  test("a closing delimiter at the end of the file leaves an empty body", () => {
    expect(parseSkillMd("---\nname: a\ndescription: b\n---")).toMatchObject({ name: "a", body: "" });
  });

  test("a horizontal rule in the body ends nothing", () => {
    expect(parseSkillMd(`${head("name: a\ndescription: b")}---\nmore\n`).body).toBe("Body\n---\nmore");
  });
});

describe("frontmatter problems have four codes, with line and column", () => {
  test.each([
    ["# no frontmatter", "frontmatter-missing", { line: 1, column: 1 }],
    ["---\nname: a\n", "frontmatter-unclosed", { line: 1, column: 1 }],
    [head("name: a: b"), "frontmatter-invalid-yaml", { line: 2, column: 8 }],
    [head("- a\n- b"), "frontmatter-not-a-mapping", { line: 2, column: 1 }],
  ])("%j is %s", (text, code, place) => {
    const { manifest, problems } = readSkillMd(text, { policy: resolvePolicy({ policy: "standard" }) });
    expect(manifest).toBeUndefined();
    expect(problems).toEqual([expect.objectContaining({ code, severity: "error", ...place })]);
  });

  test("parseSkillMd throws them as a SkillValidationError with its problems", () => {
    const error = (() => {
      try {
        return parseSkillMd("nothing");
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(SkillValidationError);
    expect(error).toMatchObject({ code: "skill-invalid", problems: [{ code: "frontmatter-missing" }] });
  });

  test("a file that holds only a path is explained as a link checked out as text", () => {
    expect(lenient("../../other/SKILL.md\n").problems[0]?.message).toContain("symbolic link");
  });
});

describe("every name rule has its own code", () => {
  test.each([
    ["PDF", "name-uppercase"],
    ["-pdf", "name-edge-hyphen"],
    ["pdf-", "name-edge-hyphen"],
    ["pdf--x", "name-double-hyphen"],
    ["pdf_x", "name-characters"],
    ["pdf x", "name-characters"],
    ["a".repeat(65), "name-too-long"],
    ["other", "name-folder-mismatch"],
    ["12", "name-not-a-string"],
    ["[a]", "name-unusable"],
    ["p\u200bdf", "name-characters"],
    ["''", "name-empty"],
    ["", "name-empty"],
    ["../x", "name-unusable"],
  ])("name: %s is reported as %s, and rejected by the standard policy", (name, code) => {
    const text = head(`name: ${name}\ndescription: d`);
    expect(codes(text)).toContain(code);
    expect(lenient(text).manifest).toBeDefined();
    const refused = readSkillMd(text, { policy: resolvePolicy({ policy: "standard" }), folder: "pdf" });
    expect(refused.manifest).toBeUndefined();
    expect(refused.problems.find((problem) => problem.code === code)?.severity).toBe("error");
  });

  test("the message names the value and the rule", () => {
    expect(lenient(head("name: Big-Name\ndescription: d"), "Big-Name").problems[0]).toMatchObject({
      message: "The name 'Big-Name' must be lowercase.",
      fix: "Rename it to 'big-name'.",
      line: 2,
      column: 1,
    });
  });

  test("a name that differs from the folder's is reported with both names", () => {
    expect(lenient(head("name: other\ndescription: d")).problems[0]?.message).toBe(
      "The name 'other' must match the folder's name 'pdf'.",
    );
  });

  test.each(["技能", "мой-навык"])("the Unicode name %s is accepted when lenient, and reported", (name) => {
    const { manifest, problems } = lenient(head(`name: ${name}\ndescription: d`), name);
    expect(manifest?.name).toBe(name);
    expect(problems.map(({ code }) => code)).toEqual(["name-not-ascii"]);
  });

  test.each([
    ["name: тест\ndescription: d", "тест"],
    ["name: рdf!\ndescription: d", "pdf"],
    ["description: d", "тест"],
    ["name:\ndescription: d", "naïve"],
  ])("with asciiNames, %j in the folder '%s' is refused under every policy", (fields, folder) => {
    for (const policy of ["lenient", "standard", "reference", "strict"] as const) {
      const read = (asciiNames: boolean) =>
        readSkillMd(head(fields), { policy: resolvePolicy({ policy, asciiNames }), folder });
      expect(read(true).manifest).toBeUndefined();
      expect(read(true).problems).toContainEqual(
        expect.objectContaining({ code: "name-not-ascii", severity: "error" }),
      );
      if (policy === "lenient") expect(read(false).manifest).toBeDefined();
    }
  });

  test("a missing name is taken from the folder when lenient, and refused without a folder", () => {
    expect(lenient(head("description: d")).manifest?.name).toBe("pdf");
    expect(() => parseSkillMd(head("description: d"), { policy: "lenient" })).toThrow("has no 'name'");
  });
});

describe("the description", () => {
  test.each([
    ["name: pdf", "description-missing"],
    ["name: pdf\ndescription:", "description-empty"],
    ["name: pdf\ndescription: '  '", "description-empty"],
    ["name: pdf\ndescription: {a: b}", "description-missing"],
  ])("%j is refused under every policy as %s", (fields, code) => {
    for (const policy of ["lenient", "standard", "reference", "strict"] as const) {
      const { manifest, problems } = readSkillMd(head(fields), { policy: resolvePolicy({ policy }), folder: "pdf" });
      expect(manifest).toBeUndefined();
      expect(problems).toContainEqual(expect.objectContaining({ code, severity: "error" }));
    }
  });

  test("1,024 characters pass and one more is too long", () => {
    expect(codes(head(`name: pdf\ndescription: ${"d".repeat(1024)}`))).toEqual([]);
    expect(codes(head(`name: pdf\ndescription: ${"d".repeat(1025)}`))).toEqual(["description-too-long"]);
  });
});

describe("the other fields", () => {
  test.each([
    ["compatibility: ''", "compatibility-empty"],
    [`compatibility: ${"c".repeat(501)}`, "compatibility-too-long"],
    ["compatibility: [a]", "compatibility-not-a-string"],
    ["license: [MIT]", "license-not-a-string"],
    ["metadata: text", "metadata-not-a-mapping"],
    ["metadata:\n  version: 1.0", "metadata-value-not-a-string"],
    ["allowed-tools: Read, Write", "allowed-tools-commas"],
    ["allowed-tools: {a: b}", "allowed-tools-not-a-string"],
    ["colour: blue", "field-unknown"],
    ["user-invocable: perhaps", "flag-not-a-boolean"],
  ])("%s is %s", (field, code) => {
    expect(codes(head(`name: pdf\ndescription: d\n${field}`))).toContain(code);
  });

  test("a number in metadata keeps its own text", () => {
    expect(lenient(head("name: pdf\ndescription: d\nmetadata:\n  version: 1.10")).manifest?.metadata).toEqual({
      version: "1.10",
    });
  });

  test("allowed-tools may also be a list", () => {
    expect(lenient(head("name: pdf\ndescription: d\nallowed-tools: [Read, Write]")).manifest?.allowedTools).toEqual([
      "Read",
      "Write",
    ]);
  });

  test("an unknown field warns with its name when lenient", () => {
    expect(lenient(head("name: pdf\ndescription: d\ncolour: blue")).problems).toEqual([
      expect.objectContaining({
        code: "field-unknown",
        severity: "warning",
        message: expect.stringContaining("'colour'"),
        line: 4,
      }),
    ]);
  });

  test("an unknown field is refused when strict, unless it is a known extension that is on", () => {
    const text = head("name: pdf\ndescription: d\ntriggers: [a]");
    expect(() => parseSkillMd(text, { policy: "strict" })).toThrow("'triggers'");
    expect(parseSkillMd(text, { policy: "strict", extensions: ["triggers"] }).extra).toEqual({ triggers: ["a"] });
  });

  test("disable-model-invocation and user-invocable are read at the top level and under metadata", () => {
    const flags = (fields: string) => {
      const { modelInvocable, userInvocable } = parseSkillMd(head(`name: pdf\ndescription: d\n${fields}`));
      return [modelInvocable, userInvocable];
    };
    expect(flags("license: MIT")).toEqual([true, true]);
    expect(flags("disable-model-invocation: true")).toEqual([false, true]);
    expect(flags("user-invocable: false")).toEqual([true, false]);
    expect(flags('metadata:\n  user-invocable: "false"')).toEqual([true, false]);
  });

  test("nested keys never override top-level ones", () => {
    expect(parseSkillMd(head("name: pdf\ndescription: d\nmetadata:\n  name: evil\n  description: evil")).name).toBe(
      "pdf",
    );
  });
});

describe("lenient repair", () => {
  test.each([
    ["an unquoted colon", "name: pdf\ndescription: Use when: asked", "Use when: asked"],
    ["a colon on a continued line", "name: pdf\ndescription: Use\n  when: asked", "Use when: asked"],
    ["a bracket at the start", "name: pdf\ndescription: [Beta] reads", "[Beta] reads"],
    ["an at sign at the start", "name: pdf\ndescription: @me reads", "@me reads"],
    ["text behind a quoted word", 'name: pdf\ndescription: "Reads" PDFs', '"Reads" PDFs'],
    ["an unclosed quote", 'name: pdf\ndescription: "Reads', "Reads"],
    ["an anchor", "name: pdf\ndescription: &d Reads", "Reads"],
    ["a field indented by mistake", "name: pdf\n  description: Reads", "Reads"],
    ["lines without indentation", "name: pdf\ndescription: Use when: a\nand b", "Use when: a and b"],
    ["a forgotten space", "name:pdf\ndescription:Reads", "Reads"],
  ])("%s is repaired, and recorded with line and column", (_, fields, description) => {
    const { manifest, problems } = lenient(head(fields));
    expect(manifest).toMatchObject({ name: "pdf", description });
    const repair = problems.find(({ code }) => code === "frontmatter-repaired");
    expect(repair).toMatchObject({
      severity: "warning",
      line: expect.any(Number),
      column: expect.any(Number),
      fix: expect.any(String),
    });
    expect(() => parseSkillMd(head(fields))).toThrow(SkillValidationError);
  });

  test("the position of a repair is where the YAML parser failed", () => {
    expect(lenient(head("name: pdf\ndescription: Use when: asked")).problems[0]).toMatchObject({ line: 3, column: 22 });
  });

  test("tabs and colons inside metadata are repaired field by field", () => {
    const { manifest } = lenient(head("name: pdf\ndescription: d\nmetadata:\n\tauthor: Ann: Bee\n\tversion: 2"));
    expect(manifest?.metadata).toEqual({ author: "Ann: Bee", version: "2" });
  });

  test("of two fields with the same name the first is used, and the second is recorded", () => {
    const { manifest, problems } = lenient(head("name: pdf\ndescription: d\ndescription: e"));
    expect(manifest?.description).toBe("d");
    expect(problems).toContainEqual(expect.objectContaining({ code: "frontmatter-repaired", line: 4 }));
  });

  test("a field that cannot be repaired is left out, and the rest is kept", () => {
    const { manifest, problems } = lenient(head("stray words\nname: pdf\ndescription: d"));
    expect(manifest?.name).toBe("pdf");
    expect(problems).toContainEqual(expect.objectContaining({ code: "frontmatter-repaired", line: 2 }));
  });
});

test("a frontmatter above the limit is rejected with the reason", () => {
  const text = head(`name: pdf\ndescription: d\nx: ${"y".repeat(LIMITS.hard.frontmatter)}`);
  expect(codes(text)).toEqual(["frontmatter-too-large"]);
});

test("a colon inside a block scalar, a quoted string or a comment is not a mistake", () => {
  const fields = "name: pdf\ndescription: |\n  Use: when: asked\nlicense: 'a: b: c'\ncompatibility: x # y: z: w";
  expect(lenient(head(fields)).problems).toEqual([]);
  expect(lenient(head(fields)).manifest?.description).toBe("Use: when: asked");
});

test.each([
  ["deep JSON", `metadata: {"a":${"[".repeat(3_900)}${"]".repeat(3_900)}}`],
  ["quotes in a list", `x: [${"'".repeat(15_000)},x]`],
  ["thousands of fields", Array.from({ length: 1_500 }, (_, index) => `k${index}: v`).join("\n")],
  ["combining marks", `x: ${"\u0301".repeat(7_000)}`],
])("%s neither break the parser nor flood the problems", (_, field) => {
  const { manifest, problems } = lenient(head(`name: pdf\ndescription: d\n${field}`));
  expect(manifest?.name).toBe("pdf");
  expect(problems.length).toBeLessThanOrEqual(LIMITS.hard.problemsInSkill + 10);
});

test("a folder's name that replaces the skill's is cleaned, or rejected", () => {
  const withoutName = head("description: d");
  expect(lenient(withoutName, "pdf\u{e0041}\u202e").manifest?.name).toBe("pdf");
  expect(lenient(withoutName, "a\nb").manifest).toBeUndefined();
  expect(lenient(head(`name: ${"a".repeat(300)}\ndescription: d`)).manifest?.name).toBe("pdf");
});

describe("blank lines above the frontmatter", () => {
  const text = "\n \t\n---\nname: pdf\ndescription: Reads.\nversion: 1\n---\n\nBody.\n";

  test("are accepted with a problem, and the lines of other problems are right", () => {
    const { name, body, problems } = parseSkillMd(text);
    expect([name, body]).toEqual(["pdf", "Body."]);
    expect(problems.map(({ code, line }) => [code, line])).toEqual([
      ["frontmatter-not-first", 1],
      ["field-unknown", 6],
    ]);
  });

  test.each(["reference", "strict"] as const)("are refused by the policy %s", (policy) => {
    expect(() => parseSkillMd(text, { policy, unknownFields: "ignore" })).toThrow("blank lines above");
  });
});

test.each([
  ["arguments: issue branch", { argumentNames: ["issue", "branch"] }],
  ["arguments: [issue, '2nd', branch, ARGUMENTS]", { argumentNames: ["issue", "", "branch", ""] }],
  ["arguments: { issue: 1 }", {}],
  ["argument-hint: '<file> [format]'", { argumentHint: "<file> [format]" }],
  ["argument-hint: [file, format]", { argumentHint: "[file, format]" }],
  ["argument-hint: [{ file: 1 }]", { argumentHint: "[]" }],
  ["argument-hint: ''", {}],
  ['metadata:\n  arguments: issue\n  argument-hint: "[issue]"', { argumentNames: ["issue"], argumentHint: "[issue]" }],
])("%j has the arguments %j", (lines, expected) => {
  const { argumentNames, argumentHint } = parseSkillMd(`---\nname: a\ndescription: Does.\n${lines}\n---\n`);
  expect(JSON.parse(JSON.stringify({ argumentNames, argumentHint }))).toEqual(expected);
});
