import type { ProblemCode } from "../../packages/skillset/src/core/base/problem.ts";
import type { PolicyName } from "../../packages/skillset/src/core/manifest/policy.ts";
import { skillMd } from "../temporary-folder.ts";

/** Files by path; a string is the SKILL.md of a folder called `a`. */
type Files = string | Readonly<Record<string, string | Uint8Array>>;

export interface HintRow {
  readonly code: ProblemCode;
  readonly broken: Files;
  /** The problem's fix. */
  readonly fix: string;
  /** The files after the fix. */
  readonly repaired: Files;
  readonly policy?: PolicyName;
}

const GOOD = "name: a\ndescription: Does a thing.";

function md(frontmatter: string, body = "Do it.\n"): string {
  return `---\n${frontmatter}\n---\n${body}`;
}

function row(code: ProblemCode, broken: Files, fix: string, repaired: Files, policy?: PolicyName): HintRow {
  return { code, broken, fix, repaired, ...(policy && { policy }) };
}

const DESCRIBE = "Describe in one or two sentences what the skill does and when to use it.";
const long = "word ".repeat(300).trim();

const FRONTMATTER: readonly HintRow[] = [
  row(
    "frontmatter-missing",
    "# A\n",
    "Start the file with '---', then 'name:' and 'description:' lines, then '---'.",
    `${md(GOOD)}# A\n`,
  ),
  row(
    "frontmatter-missing",
    `\`\`\`yaml\n${md(GOOD, "```\nDo it.\n")}`,
    "Remove the line above the first '---', and the line that closes the code block.",
    md(GOOD),
  ),
  row("frontmatter-missing", `  ${md(GOOD)}`, "Remove the spaces.", md(GOOD)),
  row("frontmatter-missing", "../b.md", "Replace it with a copy of the linked file.", md(GOOD)),
  row(
    "frontmatter-unclosed",
    `---\n${GOOD}\n`,
    "Add a line with only '---' below the last frontmatter field.",
    md(GOOD),
  ),
  row("frontmatter-not-first", `\n\n${md(GOOD)}`, "Remove the blank lines.", md(GOOD)),
  row(
    "frontmatter-invalid-yaml",
    md("name: a\ndescription: Does: it."),
    'Write description: "Does: it."',
    md('name: a\ndescription: "Does: it."'),
    "standard",
  ),
  row(
    "frontmatter-invalid-yaml",
    md("name: a\n\tdescription: Does it."),
    "Remove the spaces and tabs before 'description'.",
    md("name: a\ndescription: Does it."),
    "reference",
  ),
  row(
    "frontmatter-invalid-yaml",
    md(`${GOOD}\nlicense: MIT\nlicense: MIT`),
    "Remove the second 'license', or rename it.",
    md(`${GOOD}\nlicense: MIT`),
    "standard",
  ),
  row(
    "frontmatter-invalid-yaml",
    md(`${GOOD}\n? [x]\n: y`),
    "Write 'key: value'.",
    md(`${GOOD}\nmetadata:\n  x: y`),
    "standard",
  ),
  row(
    "frontmatter-invalid-yaml",
    md(`${GOOD}\n...\nlicense: MIT`),
    "Remove the line with '...' or '---'.",
    md(`${GOOD}\nlicense: MIT`),
    "standard",
  ),
  row("frontmatter-not-a-mapping", md("- a"), "Write 'name:' and 'description:' lines.", md(GOOD)),
  row(
    "frontmatter-too-large",
    md(`${GOOD}\nmetadata:\n  x: ${"y".repeat(20_000)}`),
    "Move long texts from the frontmatter into the body.",
    md(GOOD, "y".repeat(20_000)),
  ),
  row(
    "frontmatter-repaired",
    md("name: a\ndescription: Does: it."),
    'Write description: "Does: it."',
    md('name: a\ndescription: "Does: it."'),
  ),
  row(
    "frontmatter-repaired",
    md("name: a\ndescription: [Old] Does a thing."),
    'Write description: "[Old] Does a thing."',
    md('name: a\ndescription: "[Old] Does a thing."'),
  ),
  row("frontmatter-repaired", md(`${GOOD}\nname: b`), "Remove the second 'name'.", md(GOOD)),
  row(
    "frontmatter-repaired",
    md(`${GOOD}\nmetadata:\n  x: y\n  x: z`),
    "Remove the second 'x', or rename it.",
    md(`${GOOD}\nmetadata:\n  x: y`),
  ),
  row(
    "frontmatter-repaired",
    md("name: a\n\tdescription: Does a thing."),
    "Remove the spaces and tabs before 'description'.",
    md(GOOD),
  ),
  row("frontmatter-repaired", md(`\t${GOOD}`), "Remove the spaces and tabs before 'name'.", md(GOOD)),
  row(
    "frontmatter-repaired",
    md(`${GOOD}\nkeywords:\n  - @x\n  - y`),
    'Write - "@x"',
    md(`${GOOD}\nkeywords:\n  - "@x"\n  - y`),
  ),
  row(
    "frontmatter-repaired",
    md(`${GOOD}\nkeywords: [@x, y]`),
    'Write keywords: ["@x", y]',
    md(`${GOOD}\nkeywords: ["@x", y]`),
  ),
  row(
    "frontmatter-repaired",
    md(`${GOOD}\nkeywords: [x, y`),
    "Close its brackets and quotes, and put items with special characters in quotes.",
    md(`${GOOD}\nkeywords: [x, y]`),
  ),
  row(
    "frontmatter-repaired",
    md(`${GOOD}\nmetadata:\n\tx: y`),
    "Indent with spaces.",
    md(`${GOOD}\nmetadata:\n  x: y`),
  ),
  row(
    "frontmatter-repaired",
    md(`license\n${GOOD}`),
    "Write it as 'key: value', with quotes around the value.",
    md(`license: "MIT"\n${GOOD}`),
  ),
];

const FIELDS: readonly HintRow[] = [
  row("name-missing", md("description: D."), "Write 'name: a'.", md("name: a\ndescription: D.")),
  row("name-empty", md("name:\ndescription: D."), "Write 'name: a'.", md("name: a\ndescription: D.")),
  row("name-unusable", md("name: [a]\ndescription: D."), "Write 'name: a'.", md("name: a\ndescription: D.")),
  row("name-unusable", md("name: x/y\ndescription: D."), "Write 'name: a'.", md("name: a\ndescription: D.")),
  row("name-not-a-string", { "12/SKILL.md": md("name: 12\ndescription: D.") }, "Write 'name: \"12\"'.", {
    "12/SKILL.md": md('name: "12"\ndescription: D.'),
  }),
  row(
    "name-too-long",
    { [`${"x".repeat(70)}/SKILL.md`]: skillMd("x".repeat(70)) },
    "Choose a shorter name for the skill and its folder.",
    { "x/SKILL.md": skillMd("x") },
  ),
  row("name-uppercase", { "A/SKILL.md": skillMd("A") }, "Rename it to 'a'.", { "a/SKILL.md": skillMd("a") }),
  row("name-characters", { "a_b/SKILL.md": skillMd("a_b") }, "Rename it to 'a-b'.", { "a-b/SKILL.md": skillMd("a-b") }),
  row("name-edge-hyphen", { "-a/SKILL.md": skillMd("-a") }, "Rename it to 'a'.", { "a/SKILL.md": skillMd("a") }),
  row("name-double-hyphen", { "a--b/SKILL.md": skillMd("a--b") }, "Rename it to 'a-b'.", {
    "a-b/SKILL.md": skillMd("a-b"),
  }),
  row("name-spaces", md(`name: " a "\ndescription: Does a thing.`), "Write 'name: a'.", md(GOOD)),
  row(
    "name-not-ascii",
    { "тест/SKILL.md": skillMd("тест") },
    "Choose a name with only a-z, 0-9 and hyphens for the skill and its folder.",
    { "test/SKILL.md": skillMd("test") },
  ),
  row("name-folder-mismatch", { "b/SKILL.md": skillMd("a") }, "Rename the folder to 'a', or write 'name: b'.", {
    "a/SKILL.md": skillMd("a"),
  }),
  row("name-folder-mismatch", { "b/SKILL.md": skillMd("a") }, "Rename the folder to 'a', or write 'name: b'.", {
    "b/SKILL.md": skillMd("b"),
  }),
  row("name-folder-mismatch", { "b/SKILL.md": skillMd("A") }, "Rename it to 'b'.", { "b/SKILL.md": skillMd("b") }),
  row("name-folder-mismatch", { "B/SKILL.md": skillMd("a") }, "Rename the folder to 'a'.", {
    "a/SKILL.md": skillMd("a"),
  }),
  row("name-folder-mismatch", { "B/SKILL.md": skillMd("A") }, "Write 'name: a', and rename the folder to 'a'.", {
    "a/SKILL.md": skillMd("a"),
  }),
  row("description-missing", md("name: a"), DESCRIBE, md(GOOD)),
  row("description-missing", md("name: a\ndescription:\n  short: D."), DESCRIBE, md(GOOD)),
  row("description-empty", md("name: a\ndescription:"), DESCRIBE, md(GOOD)),
  row(
    "description-not-a-string",
    md("name: a\ndescription: 12"),
    "Write 'description: \"12\"'.",
    md('name: a\ndescription: "12"'),
  ),
  row(
    "description-not-a-string",
    md("name: a\ndescription: [x, y]"),
    "Write 'description: \"x, y\"'.",
    md('name: a\ndescription: "x, y"'),
  ),
  row(
    "description-too-long",
    md(`name: a\ndescription: ${long}`),
    "Keep what the skill does and when to use it, and move the rest into the body.",
    md("name: a\ndescription: word", long),
  ),
  row("license-not-a-string", md(`${GOOD}\nlicense: 2`), "Write 'license: \"2\"'.", md(`${GOOD}\nlicense: "2"`)),
  row(
    "license-not-a-string",
    md(`${GOOD}\nlicense:`),
    "Write a string after 'license:', or remove the field.",
    md(GOOD),
  ),
  row(
    "compatibility-not-a-string",
    md(`${GOOD}\ncompatibility:\n  - git\n  - node`),
    "Write 'compatibility: \"git, node\"'.",
    md(`${GOOD}\ncompatibility: "git, node"`),
  ),
  row(
    "compatibility-not-a-string",
    md(`${GOOD}\ncompatibility:\n  node: 22`),
    "Write 'compatibility: \"node: 22\"'.",
    md(`${GOOD}\ncompatibility: "node: 22"`),
  ),
  row(
    "compatibility-not-a-string",
    md(`${GOOD}\ncompatibility:\n  node: [22, 24]`),
    "Write it as one quoted string.",
    md(`${GOOD}\ncompatibility: "node 22 or 24"`),
  ),
  row(
    "compatibility-empty",
    md(`${GOOD}\ncompatibility: ""`),
    "Remove the field, or describe what the skill requires.",
    md(GOOD),
  ),
  row(
    "compatibility-too-long",
    md(`${GOOD}\ncompatibility: ${long}`),
    "Keep the skill's requirements, and move the rest into the body.",
    md(`${GOOD}\ncompatibility: word`, long),
  ),
  row(
    "metadata-not-a-mapping",
    md(`${GOOD}\nmetadata: x`),
    "Write 'metadata:', and below it lines such as '  author: \"Ada\"'.",
    md(`${GOOD}\nmetadata:\n  author: "Ada"`),
  ),
  row(
    "metadata-value-not-a-string",
    md(`${GOOD}\nmetadata:\n  x: 1`),
    "Write 'x: \"1\"'.",
    md(`${GOOD}\nmetadata:\n  x: "1"`),
  ),
  row(
    "metadata-value-not-a-string",
    md(`${GOOD}\nmetadata:\n  x: [y]`),
    "Write it as one quoted string.",
    md(`${GOOD}\nmetadata:\n  x: "y"`),
  ),
  row(
    "allowed-tools-not-a-string",
    md(`${GOOD}\nallowed-tools:\n  Read: yes`),
    "Write the tools on one line, such as 'allowed-tools: Read Bash(git:*)'. Until then, 'enforce' denies every call.",
    md(`${GOOD}\nallowed-tools: Read Bash(git:*)`),
  ),
  row(
    "allowed-tools-commas",
    md(`${GOOD}\nallowed-tools: Read, Bash`),
    "Write 'allowed-tools: Read Bash'.",
    md(`${GOOD}\nallowed-tools: Read Bash`),
  ),
  row(
    "allowed-tools-list",
    md(`${GOOD}\nallowed-tools: [Read, Bash]`),
    "Write 'allowed-tools: Read Bash'.",
    md(`${GOOD}\nallowed-tools: Read Bash`),
  ),
  row(
    "field-unknown",
    md(`${GOOD}\nallowed_tools: Read`),
    "Rename it to 'allowed-tools'.",
    md(`${GOOD}\nallowed-tools: Read`),
  ),
  row("field-unknown", md(`${GOOD}\nlicence: MIT`), "Rename it to 'license'.", md(`${GOOD}\nlicense: MIT`)),
  row(
    "field-unknown",
    md(`${GOOD}\ncolour: red`),
    "Leave it if an agent reads it, or put it under 'metadata'.",
    md(`${GOOD}\nmetadata:\n  colour: red`),
  ),
  row("field-unknown", md(`${GOOD}\nauthor: Ada`), "Put it under 'metadata'.", md(`${GOOD}\nmetadata:\n  author: Ada`)),
  row(
    "field-unknown",
    md(`${GOOD}\ncolours: [red]`),
    "Leave it if an agent reads it, or put it under 'metadata', as one string.",
    md(`${GOOD}\nmetadata:\n  colours: red`),
  ),
  row(
    "flag-not-a-boolean",
    md(`${GOOD}\nuser-invocable: maybe`),
    "Write 'user-invocable: true' or 'user-invocable: false'.",
    md(`${GOOD}\nuser-invocable: false`),
  ),
  row(
    "requirement-invalid",
    md(`${GOOD}\nmetadata:\n  python: 3.10 or later`),
    "Write a range such as '>=3.10,<4'.",
    md(`${GOOD}\nmetadata:\n  python: ">=3.10"`),
  ),
  row(
    "requirement-invalid",
    md(`${GOOD}\nmetadata:\n  os: linus`),
    "Write 'linux'.",
    md(`${GOOD}\nmetadata:\n  os: linux`),
  ),
  row(
    "triggers-invalid",
    md(`${GOOD}\ntriggers: tea`),
    `Write 'triggers:', and below it '  keywords: ["tea"]'.`,
    md(`${GOOD}\ntriggers:\n  keywords: ["tea"]`),
  ),
  row(
    "triggers-invalid",
    md(`${GOOD}\ntriggers:\n  words: ["tea"]`),
    "Use 'keywords', 'verbs' or 'patterns'.",
    md(`${GOOD}\ntriggers:\n  keywords: ["tea"]`),
  ),
  row(
    "triggers-invalid",
    md(`${GOOD}\ntriggers:\n  verbs: [{ brew: tea }]`),
    `Write it as 'verbs: ["tea"]'.`,
    md(`${GOOD}\ntriggers:\n  verbs: ["tea"]`),
  ),
  row(
    "triggers-invalid",
    md(`${GOOD}\ntriggers:\n  keywords: ["${"tea ".repeat(200)}"]`),
    "Shorten it, or split it into several.",
    md(`${GOOD}\ntriggers:\n  keywords: ["tea"]`),
  ),
  row(
    "triggers-invalid",
    md(`${GOOD}\nmetadata:\n  triggers: tea`),
    "Write 'trigger-keywords', 'trigger-verbs' or 'trigger-patterns' there, each as one string with commas.",
    md(`${GOOD}\nmetadata:\n  trigger-keywords: tea`),
  ),
  row(
    "toolsets-invalid",
    md(`${GOOD}\ntoolsets: ["toolsets/index"]`),
    "Write a module of the skill and the name of its export, such as 'toolsets/index:MyToolset'.",
    {
      "a/SKILL.md": md(`${GOOD}\ntoolsets: ["toolsets/index:MyToolset"]`),
      "a/toolsets/index.js": "export const MyToolset = { tools: [] };\n",
    },
  ),
  row(
    "reference-missing",
    md(`${GOOD}\ntoolsets: ["toolsets/index.js:MyToolset"]`),
    "Add toolsets/index.js, or correct the path.",
    {
      "a/SKILL.md": md(`${GOOD}\ntoolsets: ["toolsets/index.js:MyToolset"]`),
      "a/toolsets/index.js": "export const MyToolset = { tools: [] };\n",
    },
  ),
  row(
    "trigger-pattern-invalid",
    md(`${GOOD}\ntriggers:\n  patterns: ["(tea"]`),
    "Write an RE2 expression that matches only what the skill is for, or remove it.",
    md(`${GOOD}\ntriggers:\n  patterns: ["(tea)"]`),
  ),
  row("hidden-text", md("name: a\ndescription: Does\u202e a thing."), "Remove them.", md(GOOD)),
];

const references = { "a/references/b.md": "[c](c.md)", "a/references/c.md": "C." };

const FILES: readonly HintRow[] = [
  row("skill-md-misnamed", { "a/skill.md": md(GOOD) }, "Rename 'skill.md' to 'SKILL.md'.", { "a/SKILL.md": md(GOOD) }),
  row("skill-md-not-a-file", { "a/SKILL.md/x": "" }, "Replace it with a file.", md(GOOD)),
  row("skill-md-too-large", md(GOOD, "x".repeat(1_100_000)), "Move long texts into files under references/.", {
    "a/SKILL.md": md(GOOD, "See `references/x.md`."),
    "a/references/x.md": "x".repeat(1_100_000),
  }),
  row(
    "encoding-not-utf8",
    { "a/SKILL.md": Buffer.from(md("name: a\ndescription: caf\u00e9"), "latin1") },
    "Save the file as UTF-8.",
    md("name: a\ndescription: caf\u00e9"),
  ),
  row("nul-byte", md("name: a\ndescription: D\0."), "Save the file as plain text.", md(GOOD)),
  row(
    "source-empty",
    { "x/README.md": "" },
    "Pass the skill's folder, or search subfolders with 'recursive' (on the command line, '--recursive').",
    md(GOOD),
  ),
  row(
    "skills-not-read",
    { "a/SKILL.md": md(GOOD), "group/b/SKILL.md": skillMd("b") },
    "Pass the folders of these skills, or search subfolders with 'recursive' (on the command line, '--recursive').",
    { "a/SKILL.md": md(GOOD), "b/SKILL.md": skillMd("b") },
  ),
  row("body-empty", md(GOOD, ""), "Describe step by step what the agent should do.", md(GOOD)),
  row(
    "body-too-long",
    md(GOOD, "Do it.\n".repeat(600)),
    "Move details into files under references/ and link to them.",
    { "a/SKILL.md": md(GOOD, "[more](references/more.md)"), "a/references/more.md": "Do it.\n".repeat(600) },
  ),
  row(
    "template-unchanged",
    md(GOOD, "1. What to look at first.\n"),
    "Replace it with the skill's instructions, or remove it.",
    md(GOOD),
  ),
  row("reference-missing", md(GOOD, "[x](x.md)\n"), "Add the file, or correct the path.", {
    "a/SKILL.md": md(GOOD, "[x](x.md)\n"),
    "a/x.md": "X.",
  }),
  row(
    "reference-missing",
    { "a/SKILL.md": md(GOOD, "[x](../x.md)\n"), "x.md": "X." },
    "Copy '../x.md' into the skill's folder, and link the copy.",
    { "a/SKILL.md": md(GOOD, "[x](x.md)\n"), "a/x.md": "X.", "x.md": "X." },
  ),
  row(
    "reference-missing",
    { "a/SKILL.md": md(GOOD, "[x](docs/x.md)\n"), "docs/x.md": "X." },
    "Copy '../docs/x.md' into the skill's folder, and link the copy.",
    { "a/SKILL.md": md(GOOD, "[x](docs/x.md)\n"), "a/docs/x.md": "X." },
  ),
  row(
    "reference-deep",
    { "a/SKILL.md": md(GOOD, "[b](references/b.md)\n"), ...references },
    "Link 'references/c.md' from SKILL.md too.",
    { "a/SKILL.md": md(GOOD, "[b](references/b.md), [c](references/c.md)\n"), ...references },
  ),
];

/** Problems that files alone can show. */
export const HINT_ROWS: readonly HintRow[] = [...FRONTMATTER, ...FIELDS, ...FILES];
