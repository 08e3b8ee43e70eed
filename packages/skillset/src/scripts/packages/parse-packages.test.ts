import { expect, test } from "vitest";
import { parseInlineMetadata } from "./parse-inline-metadata.ts";
import { parseNpmManifest } from "./parse-npm-manifest.ts";
import { parseRequirements } from "./parse-requirements.ts";

const HASH = "0".repeat(64);

test.each([
  ["requests", "requests"],
  ["requests >= 2.31, <3", "requests>=2.31,<3"],
  ["requests (>=2.31)", "requests>=2.31"],
  ["uvicorn[standard, watch]==0.30.*", "uvicorn[standard,watch]==0.30.*"],
  ["tomli>=2 ; python_version < '3.11'", "tomli>=2 ; python_version < '3.11'"],
  [
    'colorama; sys_platform == "win32" and (os_name != "posix")',
    'colorama ; sys_platform == "win32" and (os_name != "posix")',
  ],
  ["zope.interface~=6.0  # a comment", "zope.interface~=6.0"],
  [
    `six==1.16.0 \\\n    --hash=sha256:${HASH} \\\n    --hash=sha256:${HASH}`,
    `six==1.16.0 --hash=sha256:${HASH} --hash=sha256:${HASH}`,
  ],
])("the requirement %j is accepted", (line, expected) => {
  expect(parseRequirements(`# first\n\n${line}\n`, "requirements.txt")).toEqual({ packages: [expected], refused: [] });
});

test("a refused requirement is reported with its file, its line and what to write", () => {
  const text = "requests\r\n\r\n--index-url https://example.com/simple\r\nsix @ https://example.com/six.whl\r\n";
  const { packages, refused } = parseRequirements(text, "scripts/requirements.txt");
  expect(packages).toEqual(["requests"]);
  expect(refused).toEqual([
    {
      file: "scripts/requirements.txt",
      line: 3,
      message:
        "options are not allowed: \"--index-url https://example.com/simple\". Write a name with versions, such as 'requests>=2.31'",
    },
    expect.objectContaining({ line: 4, message: expect.stringContaining("addresses are not allowed") }),
  ]);
});

test("the block of a Python script is read, with comments and over several lines", () => {
  const script = [
    "#!/usr/bin/env python3",
    "# /// script",
    '# requires-python = ">=3.11"',
    "# dependencies = [",
    '#   "requests<3",  # fetches',
    "#   'rich',",
    "# ]",
    "#",
    "# [tool.ruff]",
    "# line-length = 100",
    "# ///",
    "import requests",
  ].join("\n");
  expect(parseInlineMetadata(script, "a.py")).toEqual({ packages: ["requests<3", "rich"], refused: [] });
  expect(parseInlineMetadata("import requests\n", "a.py")).toBeUndefined();
  expect(parseInlineMetadata('# /// script\n# dependencies = ["a", "b"]\n# ///\n', "a.py")?.packages).toEqual([
    "a",
    "b",
  ]);
});

test.each([
  ['# dependencies = ["a"', "no end"],
  ['# dependencies = ["a\\u002db"]', "not a list of texts"],
  ['# dependencies = ["a"] # ok\n# dependencies = ["b"]', "not understood"],
  ['# dependencies = ["a"]\n# [tool.uv.sources]\n# a = { git = "https://example.com/a" }', "other places"],
  ['# dependencies = ["a @ https://example.com/a.whl"]', "addresses are not allowed"],
  ["# [project]", "unknown table"],
  ["print('hidden')", "must start with"],
])("in a block, %j is refused", (lines, message) => {
  const { refused = [] } = parseInlineMetadata(`# /// script\n${lines}\n# ///\n`, "a.py") ?? {};
  expect(refused.map((one) => one.message).join("\n")).toContain(message);
});

test("dependencies of a package.json are accepted, and the rest is ignored", () => {
  const manifest = {
    dependencies: { "left-pad": "^1.3.0", "@scope/a.b": ">=1 <2 || 3.x", marked: "latest", open: "" },
    devDependencies: { evil: "git+https://example.com/evil.git" },
    scripts: { postinstall: "echo ran" },
  };
  expect(parseNpmManifest(JSON.stringify(manifest), "package.json")).toEqual({
    packages: ["left-pad@^1.3.0", "@scope/a.b@>=1 <2 || 3.x", "marked@latest", "open@*"],
    refused: [],
  });
});

test("a refused dependency is reported with its line", () => {
  const text = '{\n  "dependencies": {\n    "a": "1.0.0",\n    "b": "github:user/b"\n  }\n}\n';
  expect(parseNpmManifest(text, "package.json").refused).toEqual([
    {
      file: "package.json",
      line: 4,
      message:
        'only versions of the registry are allowed: "b@github:user/b". Write a version of the registry, such as "^1.2.0"',
    },
  ]);
});

test.each([
  ["1", 20, " "],
  ["=1", 1, " "],
  [">==1", 1, "||"],
  ["1-1.1", 1, " "],
  ["v1", 3, " - "],
])("a range of %j, repeated with %d times %j between, is refused at once", (part, count, between) => {
  const parse = (end: string) => {
    const range = `${`${part}${between.repeat(count)}`.repeat(20)}1${end}`.slice(-499);
    return parseNpmManifest(JSON.stringify({ dependencies: { a: range } }), "package.json");
  };
  expect(parse("!").refused).toHaveLength(1);
});

test.each([
  "^1.2.0",
  "1 - 2",
  "1.x || >=2.5.0 <3",
  "~> 1.2",
  "  1   2 ",
  "*",
  ">= 1.0.0-beta.1+x",
  "=v1.0",
  "latest",
  "",
])("the range %j is accepted", (range) => {
  const { packages } = parseNpmManifest(JSON.stringify({ dependencies: { a: range } }), "package.json");
  expect(packages).toEqual([`a@${range.trim().replace(/ +/g, " ") || "*"}`]);
});

test("a package.json with more dependencies than a skill may have is refused as one", () => {
  const dependencies = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`a${index}`, "file:x"]));
  const { refused } = parseNpmManifest(JSON.stringify({ dependencies }), "package.json");
  expect(refused).toEqual([expect.objectContaining({ message: "more than 200 packages" })]);
});
