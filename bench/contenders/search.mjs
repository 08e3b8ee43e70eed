// Loads skills, indexes them in one of several ways, and answers queries. Prints what both cost as JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { createSkillset } from "skillset";

const [way, queriesFile, peers, ...folders] = process.argv.slice(2);
const queries = JSON.parse(readFileSync(queriesFile, "utf8"));
const skillset = await createSkillset(folders, { onProblem: () => {} });
const ways = { ours, minisearch, bm25, none: async () => () => [] };

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
// The longest turn in CPU time of the thread, which other programs do not affect.
let [turn, turnStart] = [0, process.threadCpuUsage()];
const watch = setInterval(() => {
  const used = process.threadCpuUsage(turnStart);
  turn = Math.max(turn, (used.user + used.system) / 1000);
  turnStart = process.threadCpuUsage();
}, 0);
const [start, cpuStart] = [performance.now(), process.cpuUsage()];
const search = await ways[way]();
const { user, system } = process.cpuUsage(cpuStart);
const milliseconds = performance.now() - start;
// The timer needs one more turn to see a stall at the end.
await new Promise((resolve) => setTimeout(resolve, 5));
delay.disable();
clearInterval(watch);

const times = [];
const deadline = performance.now() + 10_000;
for (let round = -1; round < 3; round++) {
  for (const query of round < 0 ? queries.slice(0, 100) : queries) {
    // A slow way answers fewer queries.
    if (times.length >= 100 && performance.now() > deadline) break;
    const start = performance.now();
    await search(query);
    // The first queries only warm up the compiler.
    if (round >= 0) times.push(performance.now() - start);
  }
}
times.sort((a, b) => a - b);
const [p50, p99] = [0.5, 0.99].map((share) => times[Math.floor(times.length * share)]);
const [cpu, stall] = [(user + system) / 1000, delay.max / 1e6];
console.log(JSON.stringify({ skills: skillset.size, milliseconds, cpu, stall, turn, p50, p99 }));

async function ours() {
  await skillset.rank("");
  return (query) => skillset.rank(query);
}

async function minisearch() {
  const MiniSearch = createRequire(`${peers}/package.json`)("minisearch");
  const fields = ["name", "description", "body"];
  const index = new MiniSearch({ fields, searchOptions: { boost: { name: 15, description: 5 } } });
  await eachSkill((id, { name, description }, body) => index.add({ id, name, description, body }));
  return (query) => index.search(query).slice(0, 10);
}

/** Plain BM25, as in a textbook. */
async function bm25() {
  const [postings, lengths] = [new Map(), []];
  await eachSkill((at, { name, description }, body) => {
    const counts = new Map();
    const words = `${name} ${description} ${body}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) {
      if (!postings.has(word)) postings.set(word, []);
      postings.get(word).push({ at, count });
    }
    lengths.push(words.length);
  });
  const usual = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return (query) => {
    const scores = new Map();
    for (const word of new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu))) {
      const list = postings.get(word) ?? [];
      const rarity = Math.log(1 + (lengths.length - list.length + 0.5) / (list.length + 0.5));
      for (const { at, count } of list) {
        const weight = (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * lengths[at]) / usual));
        scores.set(at, (scores.get(at) ?? 0) + weight);
      }
    }
    return [...scores].sort((a, b) => b[1] - a[1]).slice(0, 10);
  };
}

/** Yields after each skill, so that a stall is what the index itself causes. */
async function eachSkill(add) {
  for (const [at, skill] of skillset.skills.entries()) {
    add(at, skill, await skill.instructions());
    await setImmediate();
  }
}
