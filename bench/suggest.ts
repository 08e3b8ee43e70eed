// How well `session.turn(messages, { suggest: true })` suggests skills: `npx node bench/suggest.ts FOLDER [--out FILE.md]`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { MemorySessionStore } from "../packages/skillset/src/core/conversation/store.ts";
import { readSkillMd } from "../packages/skillset/src/core/manifest/parse.ts";
import { resolvePolicy } from "../packages/skillset/src/core/manifest/policy.ts";
import type { Skill } from "../packages/skillset/src/core/skill/skill.ts";
import { makeSkillset } from "../packages/skillset/src/core/skillset.ts";
import type { TurnMessage } from "../packages/skillset/src/core/turn/turn.ts";
import { writeSection } from "./write-section.ts";

interface Request {
  readonly query: string;
  /** The skills that the request is about, one set for each task in it. */
  readonly answers: readonly ReadonlySet<string>[];
}

interface Line {
  readonly query: string;
  readonly skill: string;
  readonly shouldTrigger: boolean;
  readonly kind: string;
}

/**
 * What ordinary messages of a conversation look like. None of them needs a skill. Not held out: the limits were chosen
 * with them in view.
 */
const ORDINARY = [
  "Thanks, that works!",
  "OK, continue.",
  "Why?",
  "Can you explain that again?",
  "No, I meant the other one.",
  "Good morning, how are you?",
  "What do you think about it?",
  "Please make it shorter.",
  "That's wrong, look at it once more.",
  "What is the capital of France?",
  "Do you know a joke?",
  "Who wrote Don Quixote?",
  "I am tired today.",
  "Which of the two is better, and why?",
  "Great, do the same for the second one.",
  "Can we go back to what you said before?",
  "Give me three names for a cat.",
  "How many days until Christmas?",
  "Is 97 a prime number?",
  "My sister is coming on Sunday. What should we eat?",
  "You forgot the last line.",
  "Wait, don't do that yet.",
  "I changed my mind, leave it as it was.",
  "Danke, das reicht.",
  "Gracias, perfecto.",
  "谢谢，很好。",
  "ありがとう。",
];
const PAIRS = 400;
const GREETING: readonly TurnMessage[] = [
  { role: "user", text: "Hello." },
  { role: "assistant", text: "Hello." },
];

const { positionals, values } = parseArgs({ allowPositionals: true, options: { out: { type: "string" } } });
const [corpus] = positionals;
if (corpus === undefined) {
  console.error("usage: node bench/suggest.ts FOLDER [--out FILE.md]");
  console.error("FOLDER has skills.jsonl.gz (dir, text) and queries.jsonl (query, skill, shouldTrigger, kind).");
  process.exit(1);
}
const found = readSkills(corpus);
const skillset = makeSkillset({
  entries: found.map(({ skill }) => ({ status: "enabled", name: skill.name, skill })),
  problems: [],
  collisions: [],
});
const lines = readLines<Line>(readFileSync(join(corpus, "queries.jsonl")));
const heldOut = holdOut(lines).filter(({ skill: name }) => answersOf(name).size > 0);
const store = new MemorySessionStore();
const opening = await skillset.session({ id: "opening", store });
const { catalog } = await opening.turn(GREETING.slice(0, 1), { catalog: { budget: { tokens: 8_000 } } });
const state = await store.load("opening");

const wanted = heldOut.filter(({ shouldTrigger }) => shouldTrigger);
const groups: [string, readonly Request[]][] = [
  ["short requests for a skill", wanted.filter(({ kind }) => kind === "trigger").map(toRequest)],
  ["longer tasks for a skill", wanted.filter(({ kind }) => kind === "task").map(toRequest)],
  ["requests that must not open a skill", heldOut.filter(({ shouldTrigger }) => !shouldTrigger).map(toRequest)],
  ["ordinary messages", ORDINARY.map((query) => ({ query, answers: [] }))],
  ["two tasks, “A, and then B”", pairsOf(wanted.filter(({ query }) => query.length < 300))],
];
const times: { readonly without: number; readonly with: number }[] = [];
await skillset.rank("index the skills");
const rows: string[] = [];
for (const [name, requests] of groups) rows.push(await measure(name, requests));
const timeRow = (name: string, milliseconds: number[]): string => {
  milliseconds.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((share) => milliseconds[Math.floor(times.length * share)]?.toFixed(2));
  return `| ${name} | ${p50} | ${p99} |`;
};
const report = [
  `${skillset.size.toLocaleString("en")} public skills in a catalog of 8,000 tokens, which describes ${catalog.shown - catalog.nameOnly.length} of them, names ${catalog.nameOnly.length}, and omits ${catalog.omitted.length}. Requests for every second skill, in %. Node ${process.versions.node}.`,
  "",
  "| messages | number | something suggested | all their skills suggested | first five of `rank` have them | skills in a list | tokens of a list |",
  "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
  ...rows,
  "",
  "| a turn | p50, ms | p99, ms |",
  "| --- | ---: | ---: |",
  timeRow(
    "without suggestions",
    times.map((one) => one.without),
  ),
  timeRow(
    "with suggestions",
    times.map((one) => one.with),
  ),
  timeRow(
    "the difference",
    times.map((one) => one.with - one.without),
  ),
].join("\n");
console.log(report);
if (values.out !== undefined) writeSection(values.out, "suggest", report);

async function measure(name: string, requests: readonly Request[]): Promise<string> {
  const lists: { readonly skills: readonly string[]; readonly tokens: number }[] = [];
  let [complete, completeByRank] = [0, 0];
  for (const { query, answers } of requests) {
    const list = await suggestFor(query);
    if (list !== undefined) lists.push(list);
    const ranked = await skillset.rank(query, { limit: 5 });
    const hasAll = (names: readonly string[]) => answers.every((one) => names.some((skill) => one.has(skill)));
    if (list !== undefined && hasAll(list.skills)) complete++;
    if (hasAll(ranked.map(({ skill }) => skill.name))) completeByRank++;
  }
  const share = (count: number) => ((100 * count) / requests.length).toFixed(0);
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / (numbers.length || 1);
  const isAboutSkills = requests.some(({ answers }) => answers.length > 0);
  const shares = isAboutSkills ? `${share(complete)} | ${share(completeByRank)}` : "– | –";
  const size = mean(lists.map(({ skills }) => skills.length)).toFixed(1);
  return `| ${name} | ${requests.length} | ${share(lists.length)} | ${shares} | ${size} | ${mean(lists.map(({ tokens }) => tokens)).toFixed(0)} |`;
}

/** Sends the message as the second one of a conversation, with suggestions and without. */
async function suggestFor(text: string) {
  const [before, after] = [await timeTurn(text, false), await timeTurn(text, true)];
  times.push({ without: before.milliseconds, with: after.milliseconds });
  return after.suggested;
}

async function timeTurn(text: string, suggest: boolean) {
  const session = await skillset.session({ store: { load: async () => state, save: async () => {} } });
  const start = performance.now();
  await session.turn([...GREETING, { role: "user", text }], { suggest });
  const milliseconds = performance.now() - start;
  const suggested = session.ledger.entries.find((entry) => entry.type === "skills-suggested");
  return { milliseconds, suggested };
}

function toRequest({ query, skill: name }: Line): Request {
  return { query, answers: [answersOf(name)] };
}

/** Pairs of requests for different skills, the same ones in every run. */
function pairsOf(lines: readonly Line[]): Request[] {
  const pairs: Request[] = [];
  let seed = 7;
  const pick = (): Line | undefined => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return lines[Math.floor((seed / 2 ** 31) * lines.length)];
  };
  while (pairs.length < PAIRS) {
    const [first, second] = [pick(), pick()];
    if (first === undefined || second === undefined || first.skill === second.skill) continue;
    const query = `${first.query.replace(/[.!?]\s*$/, "")}, and then ${second.query}`;
    pairs.push({ query, answers: [answersOf(first.skill), answersOf(second.skill)] });
  }
  return pairs;
}

function answersOf(name: string): ReadonlySet<string> {
  return new Set(found.filter(({ skill, folder }) => skill.name === name || folder === name).map((x) => x.skill.name));
}

/**
 * Every second skill with all its requests. The limits of a clear fit were chosen on the others. All skills are counted,
 * also those without a SKILL.md here, because the halves were made that way.
 */
function holdOut(lines: readonly Line[]): readonly Line[] {
  const names = [...new Set(lines.map(({ skill: name }) => name))].sort();
  return lines.filter(({ skill: name }) => names.indexOf(name) % 2 === 1);
}

function readSkills(folder: string): readonly { readonly skill: Skill; readonly folder: string }[] {
  const lines = readLines<{ dir: string; text: string }>(gunzipSync(readFileSync(join(folder, "skills.jsonl.gz"))));
  const skills = new Map<string, { readonly skill: Skill; readonly folder: string }>();
  for (const { dir, text } of lines) {
    const { manifest, body } = readSkillMd(text, { policy: resolvePolicy(), folder: dir });
    const { name, description } = manifest ?? { name: dir, description: "" };
    if (!skills.has(name)) skills.set(name, { folder: dir, skill: toSkill(name, description, body ?? text) });
  }
  return [...skills.values()];
}

function readLines<Row>(bytes: Uint8Array): Row[] {
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
