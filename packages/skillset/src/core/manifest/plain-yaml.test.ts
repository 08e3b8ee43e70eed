import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePlainYaml } from "./plain-yaml.ts";
import { parseYaml, YamlError } from "./yaml.ts";
import { toValue, type YamlNode } from "./yaml-node.ts";

const plainDocuments = {
  "one-line values": "name: pdf\ndescription: Reads PDFs, and fills forms (2.0).\n",
  "quoted values": 'name: "pdf"\ndescription: \'It\'\'s: fine\'\nx: "a \\"b\\" \\\\ \\u2192 c"\n',
  "a literal block": "description: |\n  One.\n\n  Two.\nname: x\n",
  "a folded block": "description: >-\n  One\n  two.\n\n  Three.\n\n\n  Four\nname: x\n",
  "nested mappings": "metadata:\n  author: me\n  version: 1.0\n  deep:\n    er: x\nname: y\n",
  lists: "tags:\n  - a\n  - \"b\"\nother:\n- c\n- d e\nflow: [a, 'b c', 3]\n",
  "text over several lines": "description: One\n  two three\n  four\nname: x\n",
  "mappings written as JSON":
    'metadata: {"always": false, "say": "a \\"b\\"", "requires": {"bins": ["git"]}}\nname: x\n',
  "comments between the items of a list and of a mapping":
    "tags:\n# one\n  - a\n# two\n\n  - b\nmetadata:\n# three\n  x: y\n# four\n  z: w\n",
  "comments with an indentation": "tags:\n  # one\n  - a\n  # two\n\n  - b\nx: y\n",
  "quoted texts over several lines":
    "description: 'One\n\n  two''s\n  three: #4\n\n  '\nother: \"a\n  'b'\n\n\n  c\"\nname: x\n",
  "texts below their keys": "description:\n  One two\n  three.\nmore:\n\n  # so\n  four\nname: x\n",
  "lists over several lines": "a: [b,\n  'c d']\nfiles:\n  [\n    e>=1,\n    'f/**',\n  ]\nname: x\n",
  "JSON below its key": 'metadata:\n  {\n    "a": { "b": ["c", 1,], },\n    "d": "e: f"\n  }\nname: x\n',
  "lists of mappings":
    "install:\n  - kind: brew\n    bins: [a]\n\n  - kind: pip\n    with:\n      - x\n  - y\nname: x\n",
  "blocks with spaces on their empty lines": "a: |\n  one\n \n  two\n  \nb: >\n  three\n  \n  four\n",
  "comments and empty values": "# top\nname: x\n\nlicense:\n",
};

test.each(Object.entries(plainDocuments))("%s are read without the YAML parser, to the same values", (_, source) => {
  const plain = parsePlainYaml(source);
  expect(plain).toBeDefined();
  expect(toValue(plain as YamlNode)).toEqual(toValue(parseYaml(source)));
});

test.each([
  "a: b: c\n",
  "a: [x, {y: z}]\n",
  "a: &x b\n",
  "a: *x\n",
  "a: !t b\n",
  "\ta: b\n",
  "a: 'x\n",
  "- a\n",
  "a: b #c\n",
  "a: 1\na: 2\n",
  "? a\n: b\n",
])("%j is left to the YAML parser", (source) => expect(parsePlainYaml(source)).toBeUndefined());

test("no input makes it scan the same lines, quotes or keys repeatedly", { timeout: 5_000 }, () => {
  const long = [
    `a: [${"\n".repeat(60_000)} ]`,
    `a: {${"\n".repeat(60_000)} }`,
    `a: '${"\n".repeat(60_000)}`,
    `a: {${'\\"'.repeat(30_000)}}`,
    Array.from({ length: 16_000 }, (_, index) => `k${index.toString(36)}:`).join("\n"),
  ];
  expect(long.map((source) => parsePlainYaml(source) !== undefined)).toEqual([true, true, false, false, false]);
});

test("half a character is left to the YAML parser", () => {
  expect(parsePlainYaml("a: x\ud800\n")).toBeUndefined();
});

const word = fc.constantFrom(
  "a",
  "pdf",
  "Use",
  "when:",
  "it's",
  '"q"',
  "'s'",
  "#no",
  "x#y",
  "1.0",
  "true",
  "null",
  "~",
  "-",
  "- ",
  "é",
  "技能",
  "😀",
  "\u00a0",
  ": ",
  "[",
  "]",
  "{",
  "}",
  ",",
  "\\",
  "\\u2192",
  "\\n",
  "\\x41",
  "\\/",
  '\\"',
  "''",
  "|",
  ">",
  "%",
  "@",
  "&a",
  "*b",
  "!c",
  "...",
  "---",
);
const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(" "));
const indent = fc.constantFrom("", " ", "  ", "    ");
const line = fc.oneof(
  fc
    .tuple(indent, fc.constantFrom("name", "a", "b_c", "D-e", "metadata", "x"), fc.constantFrom(":", ": ", ":  "), text)
    .map((parts) => parts.join("")),
  fc.tuple(indent, fc.constantFrom("- ", "-", ""), text).map((parts) => parts.join("")),
  fc
    .tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom(": |", ": >", ": |-", ": >-", ": |+", ": >2"))
    .map((parts) => parts.join("")),
  fc
    .tuple(
      fc.constantFrom("a", "b", "c"),
      fc.constant(": "),
      fc.array(text, { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
    )
    .map((parts) => parts.join("")),
  fc.tuple(fc.constantFrom("a", "b", "c"), fc.constant(": "), fc.json({ maxDepth: 2 })).map((parts) => parts.join("")),
  fc
    .tuple(
      fc.constantFrom("a", "b", "c"),
      fc.constantFrom(
        ': {"a": 1, "b": [true, null]}',
        ': {"a":1,"a":2}',
        ': {"x": 1.0}',
        ': {"2": 1, "1": {"y": "é: z"}}',
        ": [Bash(git:*), Read]",
        ": {a: 1}",
      ),
    )
    .map((parts) => parts.join("")),
  fc.constantFrom("", " ", "# comment", "  # comment"),
);
const lineBreak = fc.constantFrom("\n", "\n  ", "\n    ", "\n\n  ", "\n \n\n   ", " \n  ", " ", "\n  # so\n  ");
const quotedLines = fc
  .tuple(fc.constantFrom("'", '"'), word, lineBreak, word, fc.constantFrom("'", '"'))
  .map((parts) => parts.join(""));
/** Values over several lines, so that broken ones are as frequent as good ones. */
const lines = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("'", '"'),
      fc.array(fc.tuple(text, lineBreak), { maxLength: 4 }),
      fc.constantFrom("'", '"', ""),
    )
    .map(([open, parts, close]) => `a: ${open}${parts.flat().join("")}${close}`),
  fc
    .tuple(
      fc.constantFrom("a: ", "a:"),
      lineBreak,
      fc.array(fc.tuple(fc.oneof(word, quotedLines), fc.constantFrom(",", "", ", "), lineBreak)),
    )
    .map(([key, gap, items]) => `${key}${gap}[${items.flat().join("")}]`),
  fc
    .tuple(fc.constantFrom("a: ", "a:"), lineBreak, fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("  ", "    ", ""))
    .map(
      ([key, gap, value, margin]) => `${key}${gap}${JSON.stringify(value, null, 2).replaceAll("\n", `\n${margin}`)}`,
    ),
  fc
    .array(
      fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        ",",
        ", ",
        '"k":',
        '"k": ',
        '"l":',
        "1",
        "-0",
        "1.0",
        '"v"',
        '"\\"#"',
        "\n  ",
        " ",
      ),
      { maxLength: 12 },
    )
    .map((tokens) => `a: {${tokens.join("")}}`),
  fc
    .tuple(lineBreak, fc.array(fc.tuple(text, lineBreak), { maxLength: 4 }))
    .map((parts) => `a:${parts.flat(2).join("")}`),
  fc
    .array(
      fc.tuple(
        fc.constantFrom("- ", "-  ", "  ", "    ", "  - ", "  # "),
        fc.constantFrom("k: ", "k:", "l: ", ""),
        text,
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map((items) => `a:\n${items.map((parts) => `  ${parts.join("")}`).join("\n")}`),
  fc
    .tuple(
      fc.constantFrom("a: |", "a: >", "a: |-", "a: >-"),
      fc.array(fc.tuple(fc.constantFrom("  ", "  ", "   ", " ", ""), fc.oneof(text, fc.constant("")))),
    )
    .map(([key, content]) => [key, ...content.map((parts) => parts.join(""))].join("\n")),
);
const document = fc
  .oneof(
    fc.array(fc.oneof(line, lines), { minLength: 1, maxLength: 8 }),
    // Most long documents have something that the fast reader leaves alone; many short ones have not.
    fc.tuple(lines, fc.constantFrom("", "name: x", " ", "# so", "b:\n  - c")),
  )
  .map((parts) => parts.join("\n"));

test("the fast reader never disagrees with the YAML parser", () => {
  let read = 0;
  fc.assert(
    fc.property(document, (source) => {
      const plain = parsePlainYaml(source);
      if (plain === undefined) return;
      read++;
      expect(describe(plain)).toEqual(describe(strictly(source)));
    }),
    { numRuns: Number(process.env.CASES ?? 5_000) * 4 },
  );
  expect(read).toBeGreaterThan(Number(process.env.CASES ?? 5_000) / 4);
});

function strictly(source: string): YamlNode {
  try {
    return parseYaml(source);
  } catch (error) {
    if (error instanceof YamlError)
      throw new Error(`the YAML parser refuses ${JSON.stringify(source)}: ${error.message}`);
    throw error;
  }
}

/** Everything but positions deep inside values. */
function describe(node: YamlNode, depth = 0): unknown {
  if (node.kind === "scalar") return [node.plain, node.text];
  if (node.kind === "sequence") return node.items.map((item) => describe(item, depth + 1));
  return node.entries.map(({ key, at, value }) => [key, depth < 2 ? at : 0, describe(value, depth + 1)]);
}
