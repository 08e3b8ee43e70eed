import { existsSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { copyRealSkills } from "./copy-real-skills.ts";
import { createRandom } from "./corpus/random.ts";
import { generateCorpus } from "./generate-corpus.ts";
import { type ChildRun, median, runChild } from "./run-child.ts";
import { writeSection } from "./write-section.ts";

type Contender = { readonly name: string; readonly args: readonly string[]; readonly discardOutput?: boolean };
type Finished = Extract<ChildRun, { outcome: "finished" }>;
type Measurement =
  | { readonly name: string; readonly outcome: "measured"; readonly runs: readonly Finished[] }
  | { readonly name: string; readonly outcome: "failed"; readonly reason: string };

const limitName = "limit: every SKILL.md read in full";
const reloadName = "skillset, reload with nothing changed";
const inRepository = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const contenderScript = (name: string) => inRepository(`bench/contenders/${name}.mjs`);

const { values } = parseArgs({
  options: {
    skills: { type: "string", default: "10000" },
    rounds: { type: "string", default: "7" },
    real: { type: "string" },
    peers: { type: "string", default: inRepository("bench/peers") },
    out: { type: "string" },
  },
});
const count = Number(values.skills);
const rounds = Number(values.rounds);
if (!(Number.isInteger(count) && count > 0 && Number.isInteger(rounds) && rounds > 0)) {
  console.error(
    "usage: node bench/list.ts [--skills 10000] [--rounds 7] [--real FILE.jsonl.gz] [--peers FOLDER] [--out FILE.md]",
  );
  process.exit(1);
}

const place = join(tmpdir(), "skillset-bench");
const folder =
  values.real === undefined
    ? generateCorpus(join(place, String(count)), { count })
    : copyRealSkills(values.real, join(place, `real-${count}`), count);
const measurements = measure(listContenders(folder, resolve(values.peers)), rounds);
const report = writeReport(measurements);
console.log(report);
if (values.out !== undefined) writeSection(values.out, "list", report);

function listContenders(folder: string, peers: string): Contender[] {
  const command = inRepository("packages/skillset/bin/skillset.js");
  const ours: Contender[] = [
    { name: "an empty module", args: [contenderScript("empty")] },
    { name: limitName, args: [contenderScript("raw-read"), folder] },
    { name: "every SKILL.md checked, and 2 KiB of it read", args: [contenderScript("head-read"), folder] },
    { name: "skillset, createSkillset", args: [contenderScript("load"), folder] },
    { name: "skillset list --json", args: [command, "list", folder, "--json"], discardOutput: true },
    { name: "skillset list", args: [command, "list", folder], discardOutput: true },
    { name: reloadName, args: [contenderScript("reload"), folder] },
  ];
  if (!existsSync(join(peers, "node_modules"))) {
    console.error(`No peers: npm exec -c 'npm install --prefix ${peers} --ignore-scripts --no-package-lock'`);
    return ours;
  }
  const peer = (name: string, script: string): Contender => ({ name, args: [contenderScript(script), folder, peers] });
  return [
    ...ours,
    peer("openskills 1.5.0, list", "peer-openskills"),
    peer("gray-matter 4.0.3, in a loop", "peer-gray-matter"),
    peer("skills-ref 0.1.5, readProperties", "peer-skills-ref"),
    peer("pi 0.74.2, loadSkills", "peer-pi"),
    peer("gemini-cli-core 0.61.0, loadSkillsFromDir", "peer-gemini"),
  ];
}

/** In rounds with different orders, so that a slow minute of the machine or a heavy predecessor affects all equally. */
function measure(contenders: readonly Contender[], rounds: number): Measurement[] {
  const runs = new Map<Contender, Finished[]>(contenders.map((contender) => [contender, []]));
  const failures = new Map<Contender, string>();
  const run = (contender: Contender, counts: boolean) => {
    if (failures.has(contender)) return;
    const result = runChild(contender.args, contender);
    if (result.outcome === "failed") failures.set(contender, result.reason);
    else if (counts) runs.get(contender)?.push(result);
  };
  for (const contender of contenders) run(contender, false);
  const random = createRandom(1);
  for (let round = 0; round < rounds; round++) {
    const left = [...contenders];
    while (left.length > 0) for (const contender of left.splice(random.below(left.length), 1)) run(contender, true);
    console.error(`round ${round + 1} of ${rounds}`);
  }
  return contenders.map((contender) => {
    const reason = failures.get(contender);
    if (reason !== undefined) return { name: contender.name, outcome: "failed", reason };
    return { name: contender.name, outcome: "measured", runs: runs.get(contender) ?? [] };
  });
}

function writeReport(measurements: readonly Measurement[]): string {
  const limit = measurements.find(({ name }) => name === limitName);
  const limitTime = limit?.outcome === "measured" ? medianTime(limit.runs) : Number.NaN;
  const rows = measurements
    .filter(({ name }) => name !== reloadName)
    .toSorted((a, b) => sortingTime(a) - sortingTime(b))
    .map((measurement) => writeRow(measurement, limitTime));
  return [
    `${count.toLocaleString("en")} ${values.real === undefined ? "generated" : "public"} skills in one folder, Node ${process.versions.node}, ${cpus().length} cores; cold processes, warm page cache, medians of ${rounds} interleaved rounds.`,
    "",
    "| way | ms | ratio to the limit | peak memory | skills |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...rows,
    "",
    writeReload(measurements.find(({ name }) => name === reloadName)),
  ].join("\n");
}

function writeRow(measurement: Measurement, limitTime: number): string {
  if (measurement.outcome === "failed")
    return `| ${measurement.name} | failed: ${escapeCell(measurement.reason)} | | | |`;
  const time = medianTime(measurement.runs);
  const memory = median(measurement.runs.map(({ peakBytes }) => peakBytes)) / 1e6;
  const found = /^\d+$/.exec(measurement.runs[0]?.lastLine ?? "")?.[0];
  const skills = found === undefined ? "" : Number(found).toLocaleString("en");
  return `| ${measurement.name} | ${time.toFixed(0)} | ${(time / limitTime).toFixed(2)} | ${memory.toFixed(0)} MB | ${skills} |`;
}

function writeReload(measurement: Measurement | undefined): string {
  if (measurement?.outcome !== "measured") return `Reload failed: ${measurement?.reason ?? "it was not run"}`;
  const times = measurement.runs.map(({ lastLine }) => JSON.parse(lastLine) as { reload: number; rawRead: number });
  const reload = median(times.map((time) => time.reload));
  const rawRead = median(times.map((time) => time.rawRead));
  return `Reload with nothing changed: ${reload.toFixed(0)} ms, ${(reload / rawRead).toFixed(2)} times reading every SKILL.md again in the same process (${rawRead.toFixed(0)} ms).`;
}

function sortingTime(measurement: Measurement): number {
  return measurement.outcome === "measured" ? medianTime(measurement.runs) : Number.POSITIVE_INFINITY;
}

function medianTime(runs: readonly Finished[]): number {
  return median(runs.map(({ milliseconds }) => milliseconds));
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|");
}
