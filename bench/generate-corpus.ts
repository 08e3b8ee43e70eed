import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeFrontmatter } from "./corpus/frontmatter.ts";
import { capitalize, createBodyWriter, nouns, verbs, writeSentence } from "./corpus/prose.ts";
import { createRandom, type Random } from "./corpus/random.ts";

export type GenerateCorpusOptions = { readonly count?: number; readonly seed?: number };

/** Increase it when the text changes, so that existing folders are generated again. */
const corpusVersion = 2;
const bodyLength = { median: 5584, p99: 39_192, most: 263_912 };
const otherFileCount = { median: 1.2, p99: 90, most: 61 };

/**
 * Fills `folder/skills` with skills shaped like public ones and returns that path.
 * A folder that already contains the same corpus is left unchanged.
 */
export function generateCorpus(folder: string, { count = 10_000, seed = 1 }: GenerateCorpusOptions = {}): string {
  const skillsFolder = join(folder, "skills");
  const marker = join(folder, "corpus.json");
  const identity = JSON.stringify({ corpusVersion, count, seed });
  const previous = readIfPresent(marker);
  if (previous === identity) return skillsFolder;
  // Only a folder that this function marked is ever emptied.
  if (previous !== undefined) rmSync(skillsFolder, { recursive: true, force: true });

  mkdirSync(folder, { recursive: true });
  mkdirSync(skillsFolder);
  writeFileSync(marker, "unfinished");
  const random = createRandom(seed);
  const writeSkill = createSkillWriter(random);
  const taken = new Set<string>();
  for (let index = 0; index < count; index++) {
    const { name, folderName } = inventName(random, taken);
    const skillFolder = join(skillsFolder, folderName);
    mkdirSync(skillFolder);
    writeFileSync(join(skillFolder, "SKILL.md"), writeSkill(name));
    if (random.chance(0.5)) writeOtherFiles(random, skillFolder);
  }
  writeFileSync(marker, identity);
  return skillsFolder;
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** 5.8 % of names have forbidden characters, and 12 % differ from their folder's. */
function inventName(random: Random, taken: Set<string>): { name: string; folderName: string } {
  const words = [random.pick(verbs), random.pick(nouns)];
  if (random.chance(0.5)) words.push(random.pick(nouns));
  while (taken.has(words.join("-"))) words.push(random.pick(nouns));
  taken.add(words.join("-"));

  const kebab = words.join("-");
  if (random.chance(0.0592)) {
    const name = random.pick([words.map(capitalize).join(" "), words.join("_"), words.map(capitalize).join("")]);
    return { name, folderName: random.chance(0.26) ? name : kebab };
  }
  if (random.chance(0.084)) return { name: random.pick([words.slice(1).join("-"), `my-${kebab}`]), folderName: kebab };
  return { name: kebab, folderName: kebab };
}

function createSkillWriter(random: Random): (name: string) => string {
  const writeBody = createBodyWriter(random);
  const isBare = random.quota(0.021);
  const isBroken = random.quota(0.0095);
  const isWindows = random.quota(0.0024);
  const isMarked = random.quota(0.0004);
  return (name) => {
    const frontmatter = isBare() ? "" : `${writeFrontmatter(random, name, isBroken())}\n`;
    const text = frontmatter + writeBody(random.lognormal(bodyLength), random.chance(0.46));
    const lines = isWindows() ? text.replaceAll("\n", "\r\n") : text;
    return isMarked() ? `\uFEFF${lines}` : lines;
  };
}

/** Many skills have one or two small files next to the SKILL.md; one in a hundred has 61. */
function writeOtherFiles(random: Random, skillFolder: string): void {
  const count = Math.max(1, random.lognormal(otherFileCount));
  const made = new Set<string>();
  for (let index = 0; index < count; index++) {
    const [kind, ending] = random.pick(otherKinds);
    const kindFolder = join(skillFolder, kind);
    if (!made.has(kind)) mkdirSync(kindFolder);
    made.add(kind);
    writeFileSync(join(kindFolder, `${random.pick(nouns)}-${index}.${ending}`), `${writeSentence(random)}\n`);
  }
}

const otherKinds = [
  ["references", "md"],
  ["references", "md"],
  ["scripts", "py"],
  ["scripts", "sh"],
  ["assets", "json"],
] as const;

if (import.meta.main) {
  const [folder, count = "10000"] = process.argv.slice(2);
  if (folder === undefined || !/^\d+$/.test(count)) {
    console.error("usage: node bench/generate-corpus.ts FOLDER [COUNT=10000]");
    process.exit(1);
  }
  console.log(`${count} skills in ${generateCorpus(folder, { count: Number(count) })}`);
}
