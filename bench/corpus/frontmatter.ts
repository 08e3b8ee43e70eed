import { nouns, verbs, writeDescription } from "./prose.ts";
import type { Random } from "./random.ts";

const descriptionLength = { median: 236, p99: 945, most: 4400 };

/** Frontmatter as people write it, with fences: valid YAML unless `broken`, and often not valid by the standard. */
export function writeFrontmatter(random: Random, name: string, broken: boolean): string {
  const lines = [
    `name: ${random.chance(0.05) ? quote(name) : name}`,
    writeDescriptionField(random, broken),
    ...(random.chance(0.24) ? [`license: ${random.pick(licenses)}`] : []),
    ...(random.chance(0.0375) ? [`compatibility: Requires ${random.pick(nouns)} tools and network access`] : []),
    ...writeAllowedTools(random),
    ...(random.chance(0.28) ? [writeMetadata(random)] : []),
    ...(random.chance(0.394) ? writeOtherFields(random) : []),
  ];
  if (random.chance(0.023)) lines.splice(1 + random.below(lines.length), 0, "");
  if (random.chance(0.0025)) lines.splice(random.below(lines.length), 0, `# ${random.pick(verbs)} before release`);
  return `---\n${lines.join("\n")}\n---\n`;
}

function writeDescriptionField(random: Random, broken: boolean): string {
  const text = writeDescription(random, random.lognormal(descriptionLength));
  if (broken) return writeBrokenDescription(random, text);

  const marked = random.chance(0.18) ? text.replace(", ", " — ").replace(" or ", " → ") : text;
  const style = random.below(1000);
  if (style < 105) return `description: |\n  ${random.chance(0.5) ? wrap(marked) : marked}`;
  if (style < 170) return `description: >\n  ${wrap(marked)}`;
  if (style < 210) return `description: >-\n  ${wrap(marked)}`;
  if (style < 450) return `description: ${quote(marked)}`;
  if (style < 507) return `description: '${marked.replaceAll("'", "''")}'`;
  if (style < 560) return `description: ${wrap(marked)}`;
  if (style < 574) return `description: '${wrap(marked.replaceAll("'", "''"))}\n\n  '`;
  if (style < 578) return `description:\n  ${wrap(marked)}`;
  return `description: ${marked}`;
}

/** Quoting repairs the unquoted colon; the one case in nine without its closing quote cannot be repaired. */
function writeBrokenDescription(random: Random, text: string): string {
  if (random.chance(0.12)) return `description: "${text.replaceAll('"', "")}`;
  return `description: ${capTo(text, 40)}. Use for: ${text}`;
}

function writeAllowedTools(random: Random): string[] {
  const tools = Array.from({ length: 2 + random.below(4) }, () => random.pick(toolNames));
  const style = random.below(1000);
  if (style < 93) return [`allowed-tools: ${tools.join(", ")}`];
  if (style < 103) return [`allowed-tools: [${tools.join(", ")}]`];
  if (style < 113) return ["allowed-tools:", ...tools.map((tool) => `  - ${tool}`)];
  if (style < 125) return [`allowed-tools: ${tools.join(" ")}`];
  return [];
}

function writeMetadata(random: Random): string {
  const text = [`author: ${random.pick(authors)}`, `version: "${random.below(3)}.${random.below(10)}"`];
  if (random.chance(0.5)) text.push(`category: ${random.pick(nouns)}`);
  const typed = random.pick([
    [`version: ${random.below(3)}.${1 + random.below(9)}`],
    [`priority: ${random.below(10)}`, `internal: ${random.chance(0.5)}`],
    [`tags: [${random.pick(nouns)}, ${random.pick(nouns)}]`],
    ["requires:", "  bins:", `    - ${random.pick(nouns)}`, "  env:", `    - ${random.pick(nouns).toUpperCase()}_KEY`],
  ]);
  if (!random.chance(0.456)) return ["metadata:", ...text.map((line) => `  ${line}`)].join("\n");
  if (random.chance(0.055)) return `metadata:\n  {\n    "requires": { "bins": ["${random.pick(nouns)}"] },\n  }`;
  if (random.chance(0.27)) return `metadata: {"always": false, "requires": {"bins": ["${random.pick(nouns)}"]}}`;
  return ["metadata:", `  author: ${random.pick(authors)}`, ...typed.map((line) => `  ${line}`)].join("\n");
}

function writeOtherFields(random: Random): string[] {
  const chosen = new Map<string, string>();
  do {
    const line = random.pick(otherFields)(random);
    chosen.set(line.slice(0, line.indexOf(":")), line);
  } while (chosen.size < 6 && random.chance(0.5));
  return [...chosen.values()];
}

type WriteField = (random: Random) => string;
const version: WriteField = (random) => `version: ${random.below(4)}.${random.below(20)}.${random.below(10)}`;
const author: WriteField = (random) => `author: ${random.pick(authors)}`;

/** Common values occur more than once, so that they are picked as often as in real skills. */
const otherFields: readonly WriteField[] = [
  ...[version, version, version, version, version, author, author, author],
  (random) => `source: ${random.pick(["community", "official", "self"])}`,
  (random) => `tags: [${random.pick(nouns)}, ${random.pick(verbs)}, ${random.pick(nouns)}]`,
  (random) => `tags:\n  - ${random.pick(nouns)}\n  - ${random.pick(nouns)}`,
  (random) => `risk: ${random.pick(["safe", "unknown", "none"])}`,
  (random) => `user-invocable: ${random.chance(0.7)}`,
  (random) => `date_added: "2026-0${1 + random.below(9)}-1${random.below(10)}"`,
  (random) => `argument-hint: "[${random.pick(nouns)}] [--${random.pick(nouns)}]"`,
  (random) => `requires:\n  bins: [${random.pick(nouns)}]`,
  (random) =>
    `triggers:\n  - ${random.pick(verbs)} ${random.pick(nouns)}\n  - ${random.pick(verbs)} my ${random.pick(nouns)}`,
  (random) =>
    `install:\n  - kind: brew\n    formula: ${random.pick(nouns)}\n  - kind: npm\n    package: ${random.pick(nouns)}`,
  (random) => `homepage: https://example.com/${random.pick(nouns)}`,
  () => "disable-model-invocation: true",
  (random) => `model: ${random.pick(["small", "large", "inherit"])}`,
];

const licenses = ["MIT", "MIT", "Apache-2.0", "CC-BY-4.0", "Proprietary. LICENSE.txt has complete terms"];
const authors = ["Ada Miller", "north-team", "Jun Park", "studio_k", "Lea O'Brien", "Rui Costa"];
const toolNames = ["Read", "Write", "Edit", "Bash", "Glob", "Grep", "WebFetch", "Bash(git:*)", "Bash(npm:*)"];

function quote(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}

/** Wraps lines at about 80 characters; all but the first are indented by two. */
function wrap(text: string): string {
  return text.replace(/(.{60,78}) /g, "$1\n  ");
}

function capTo(text: string, length: number): string {
  return text.slice(0, length).replace(/\W*\w*$/, "");
}
