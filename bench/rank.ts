import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gunzipSync } from "node:zlib";
import { readSkillMd } from "../packages/skillset/src/core/manifest/parse.ts";
import { resolvePolicy } from "../packages/skillset/src/core/manifest/policy.ts";
import { createRankIndex } from "../packages/skillset/src/core/search/rank.ts";
import type { Skill } from "../packages/skillset/src/core/skill/skill.ts";
import { writeSection } from "./write-section.ts";

type Search = (query: string) => readonly Skill[];
type Contender = { readonly name: string; build(skills: readonly Skill[]): Promise<Search> };
type Question = { readonly query: string; readonly answers: ReadonlySet<Skill>; readonly heldOut: boolean };

const rounds = 3;
const { positionals, values } = parseArgs({ allowPositionals: true, options: { out: { type: "string" } } });
const [corpus] = positionals;
if (corpus === undefined) {
  console.error("usage: node bench/rank.ts FOLDER [--out FILE.md]");
  console.error("FOLDER has skills.jsonl.gz (dir, text) and queries.jsonl (query, skill, shouldTrigger).");
  process.exit(1);
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
const found = readSkills(corpus);
const skills = found.map(({ skill }) => skill);
const questions = readQuestions(corpus);
const rows: string[] = [];
for (const contender of [
  {
    name: "TF-IDF, name and description",
    build: async (skills) =>
      createTfIdf(
        skills,
        skills.map(() => ""),
      ),
  },
  { name: "skillset, name and description", build: (skills) => createOurs(skills, false) },
  { name: "TF-IDF, with body", build: async (skills) => createTfIdf(skills, await readBodies(skills)) },
  { name: "skillset, with body", build: (skills) => createOurs(skills, true) },
] satisfies Contender[]) {
  rows.push(await measure(contender));
}
const heldOut = questions.filter((question) => question.heldOut).length;
const report = [
  `${questions.length} real requests to ${skills.length.toLocaleString("en")} public skills, Node ${process.versions.node}. The ${heldOut} held-out ones are for skills whose requests were not used for tuning. Recall at 1 / 5 / 10, in %.`,
  "",
  "| ranking by | held out | all | build | index | a query, p50 / p99 |",
  "| --- | ---: | ---: | ---: | ---: | ---: |",
  ...rows,
].join("\n");
console.log(report);
if (values.out !== undefined) writeSection(values.out, "rank", report);

async function measure({ name, build }: Contender): Promise<string> {
  await build(skills.slice(0, 200));
  const before = await usedBytes();
  const start = performance.now();
  const search = await build(skills);
  const buildTime = performance.now() - start;
  const bytes = (await usedBytes()) - before;
  const times: number[] = [];
  for (let round = -1; round < rounds; round++) {
    for (const { query } of questions) {
      const start = performance.now();
      search(query);
      // The first round only warms up the compiler.
      if (round >= 0) times.push(performance.now() - start);
    }
  }
  times.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((share) => times[Math.floor(times.length * share)]?.toFixed(3));
  const heldOut = questions.filter((question) => question.heldOut);
  return `| ${name} | ${recall(search, heldOut)} | ${recall(search, questions)} | ${buildTime.toFixed(0)} ms | ${(bytes / 1e6).toFixed(1)} MB | ${p50} / ${p99} ms |`;
}

function recall(search: Search, questions: readonly Question[]): string {
  const places = questions.map(({ query, answers }) => search(query).findIndex((skill) => answers.has(skill)));
  return [1, 5, 10]
    .map((depth) => places.filter((place) => place >= 0 && place < depth).length / questions.length)
    .map((share) => (share * 100).toFixed(1))
    .join(" / ");
}

/** Twice, because the memory of typed arrays is released only after the collection that found them unused. */
async function usedBytes(): Promise<number> {
  for (let pass = 0; pass < 2; pass++) {
    await setImmediate();
    collectGarbage();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function createOurs(skills: readonly Skill[], body: boolean): Promise<Search> {
  const index = await createRankIndex(skills, { body });
  return (query) => index.search(query).map(({ skill }) => skill);
}

/** Textbook ranking: cosine of term counts times inverse document frequency, with unchanged words. */
function createTfIdf(skills: readonly Skill[], bodies: readonly string[]): Search {
  const counts = skills.map(({ name, description }, at) => countWords(`${name} ${description} ${bodies[at]}`));
  const postings = new Map<string, { readonly at: number; weight: number }[]>();
  for (const [at, words] of counts.entries()) {
    for (const [word, count] of words) {
      const list = postings.get(word) ?? [];
      list.push({ at, weight: count });
      postings.set(word, list);
    }
  }
  const rarity = (word: string) => Math.log(skills.length / (postings.get(word)?.length ?? 1));
  const lengths = counts.map((words) => Math.hypot(...Array.from(words, ([word, count]) => count * rarity(word))));
  for (const [word, list] of postings) {
    for (const posting of list) posting.weight *= rarity(word) / (lengths[posting.at] || 1);
  }
  return (query) => {
    const scores = new Map<number, number>();
    for (const [word, count] of countWords(query)) {
      for (const { at, weight } of postings.get(word) ?? []) {
        scores.set(at, (scores.get(at) ?? 0) + count * rarity(word) * weight);
      }
    }
    const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 10);
    return best.flatMap(([at]) => skills[at] ?? []);
  };
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function readBodies(skills: readonly Skill[]): Promise<string[]> {
  return Promise.all(skills.map((skill) => skill.instructions()));
}

function readSkills(folder: string): { readonly skill: Skill; readonly folder: string }[] {
  const lines = readLines<{ dir: string; text: string }>(gunzipSync(readFileSync(join(folder, "skills.jsonl.gz"))));
  return lines.map(({ dir, text }) => {
    const { manifest, body } = readSkillMd(text, { policy: resolvePolicy(), folder: dir });
    const { name, description } = manifest ?? { name: dir, description: "" };
    return { folder: dir, skill: toSkill(name, description, manifest === undefined ? text : body) };
  });
}

/** Every second skill with all its requests is held out, so that nothing learnt about one skill helps it. */
function readQuestions(folder: string): Question[] {
  type Line = { query: string; skill: string; shouldTrigger: boolean };
  const lines = readLines<Line>(readFileSync(join(folder, "queries.jsonl"))).filter((line) => line.shouldTrigger);
  const names = [...new Set(lines.map(({ skill }) => skill))].sort();
  return lines
    .map(({ query, skill: name }) => ({
      query,
      answers: new Set(found.filter(({ skill, folder }) => skill.name === name || folder === name).map((x) => x.skill)),
      heldOut: names.indexOf(name) % 2 === 1,
    }))
    .filter(({ answers }) => answers.size > 0);
}

function readLines<Line>(bytes: Uint8Array): Line[] {
  return new TextDecoder()
    .decode(bytes)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function toSkill(name: string, description: string, body: string): Skill {
  return {
    name,
    description,
    metadata: {},
    allowedTools: [],
    extra: {},
    modelInvocable: true,
    userInvocable: true,
    origin: { kind: "inline" },
    tools: [],
    files: { list: async () => [], read: async () => new Uint8Array() },
    instructions: async () => body,
    digest: async () => "",
  };
}
