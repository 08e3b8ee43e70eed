import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { lintSkill } from "./lint.ts";

function lint(body: string, files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const folder = temporaryFolder({ "SKILL.md": skillMd("a", undefined, body), ...files });
  return { folder, problems: lintSkill({ folder, name: "a" }) };
}

const codes = (...parameters: Parameters<typeof lint>) => lint(...parameters).problems.map(({ code }) => code);

describe("the instructions", () => {
  test("that follow the standard have no problem", () => {
    expect(
      codes("# A\n\nRead [the guide](references/guide.md) and run `scripts/go.sh`.\n", {
        "references/guide.md": "# Guide",
        "scripts/go.sh": "",
      }),
    ).toEqual([]);
  });

  test.each(["", "\n\n  \n"])("that are %j are reported as empty", (body) => {
    expect(lint(body).problems).toEqual([
      expect.objectContaining({ code: "body-empty", severity: "warning", skill: "a", line: 4 }),
    ]);
  });

  test("with too many tokens, or too many lines, are too long", () => {
    expect(codes("some words here ".repeat(2_000))).toEqual(["body-too-long"]);
    expect(codes("x\n".repeat(501))).toEqual(["body-too-long"]);
    expect(codes("x\n".repeat(499))).toEqual([]);
  });

  test("that are not UTF-8 are an error, because no agent can read them", () => {
    const folder = temporaryFolder({ "SKILL.md": Buffer.concat([Buffer.from(skillMd("a")), Buffer.from([0xff])]) });
    expect(lintSkill({ folder, name: "a" })).toEqual([
      expect.objectContaining({ code: "encoding-not-utf8", severity: "error" }),
    ]);
  });
});

describe("a reference", () => {
  test.each([
    "[x](missing.md)",
    "[x](./missing.md 'title')",
    "![x](assets/missing.png)",
    "[x]: missing.md",
    "see `scripts/missing.py`",
    "[`a`](missing.md#part)",
    "[x](../other/SKILL.md)",
  ])("%s is missing", (body) => {
    expect(codes(body)).toEqual(["reference-missing"]);
  });

  test("that is missing is reported once, at its position", () => {
    const { folder, problems } = lint("# A\n\nSee [x](y.md) and [x](y.md).\n");
    expect(problems).toEqual([
      expect.objectContaining({
        path: join(folder, "SKILL.md"),
        line: 8,
        column: 7,
        message: "'y.md' does not exist in this skill.",
      }),
    ]);
  });

  test("that names a folder above has a fix with the file that the skill has", () => {
    const { problems } = lint("[a](../references/a.md) [b](../references/b.md)", { "references/a.md": "# A" });
    expect(problems.map(({ fix }) => fix)).toEqual(["Write 'references/a.md'.", "Add the file, or correct the path."]);
  });

  test.each([
    "[x](https://a.b/c.md)",
    "[x](#part)",
    "[x](mailto:a@b.c)",
    "[x](/etc/x.md)",
    "`scripts/<name>.py`",
    "`references/*.md`",
    "[x](references/{topic}.md)",
    "Read `assets/summary_[en|ja].md`.",
    "[x](url)",
    "`[x](y.md)`",
    "```\n[x](y.md)\n`scripts/y.py`\n```",
    "`scripts/`",
    "**Example**: `scripts/rotate_pdf.py` for PDF rotation",
    "Use forward slashes (e.g., `scripts/helper.py`).",
    "Save the diagram to `assets/diagram.png`.",
    "Run `scripts/dev.sh` of the user's project.",
    "The new `scripts/x.py` was moved.",
    "- `scripts/x.py`: somebody's, because this skill has no folder 'scripts'",
    "[`references/rules.md`](https://a.b/rules.md)",
    "[report](path/to/report.md)",
    "[lineage](.wiki/lineage.md)",
    "[^2]: Author. A title.",
  ])("%s is none", (body) => {
    expect(codes(body)).toEqual([]);
  });

  test.each(["Run `scripts/y.py`.", "- `scripts/y.py`: converts", "1. **Reference:** See `scripts/y.py`"])(
    "%s is one, and must exist",
    (body) => {
      expect(codes(body, { "scripts/x.py": "" })).toEqual(["reference-missing"]);
      expect(codes(body, { "scripts/y.py": "" })).toEqual([]);
    },
  );

  test("may have spaces, encoded", () => {
    expect(codes("[x](<references/a%20b.md>)", { "references/a b.md": "" })).toEqual([]);
  });

  test("that links to another file is too deep, unless SKILL.md links that file too", () => {
    const files = { "references/a.md": "# A\n\nThen [b](b.md).\n", "references/b.md": "# B" };
    const { folder, problems } = lint("[a](references/a.md)\n", files);
    expect(problems).toEqual([
      expect.objectContaining({
        code: "reference-deep",
        severity: "warning",
        path: join(folder, "references/a.md"),
        line: 3,
        column: 8,
      }),
    ]);
    expect(codes("[a](references/a.md) [b](references/b.md)\n", files)).toEqual([]);
    expect(
      codes("[a](references/a.md)\n", {
        "references/a.md": "[back](../SKILL.md) [me](a.md) [gone](c.md) [web](https://x.y)",
      }),
    ).toEqual([]);
  });

  test("lines count from the file's first, with CRLF and a byte order mark", () => {
    const text = `\ufeff${skillMd("a", undefined, "[x](y.md)")}`.replaceAll("\n", "\r\n");
    const folder = temporaryFolder({ "SKILL.md": text });
    expect(lintSkill({ folder, name: "a" })).toEqual([
      expect.objectContaining({ code: "reference-missing", line: 6, column: 3 }),
    ]);
  });

  test("in a hostile text is found in bounded time", () => {
    expect(codes("](a ".repeat(200_000)).length).toBeGreaterThan(0);
    expect(codes("[".repeat(500_000))).toContain("body-too-long");
    expect(codes("`scripts/".repeat(80_000))).toContain("body-too-long");
  });
});
