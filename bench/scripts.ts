import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createSkillset } from "skillset";
import { createScriptRunner, type RunnerName } from "skillset/scripts";
import { writeSection } from "./write-section.ts";

interface Contender {
  readonly name: string;
  /** Runs the script once. */
  run(): Promise<void>;
  readonly times: number[];
}

const SKILL = "bench-skill";
const SCRIPT = "scripts/true.sh";
const RUNNERS: readonly RunnerName[] = ["subprocess", "bubblewrap", "embedded"];
const warmUp = 5;

const { values } = parseArgs({ options: { rounds: { type: "string", default: "200" }, out: { type: "string" } } });
const rounds = Number(values.rounds);
if (!(Number.isInteger(rounds) && rounds > 0)) {
  console.error("usage: node bench/scripts.ts [--rounds 200] [--out FILE.md]");
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), "skillset-bench-"));
try {
  writeSkill(join(folder, SKILL));
  const contenders: Contender[] = [{ name: "spawn, no runner", run: bare, times: [] }];
  const missing: string[] = [];
  for (const name of RUNNERS) {
    const found = await createScriptRunner(name);
    if (found.runner === undefined) missing.push(`${name} was not measured: ${found.reason}`);
    else contenders.push({ name, run: await through(name), times: [] });
  }
  await measure(contenders);
  const report = writeReport(contenders, missing);
  console.log(report);
  if (values.out !== undefined) writeSection(values.out, "scripts", report);
} finally {
  rmSync(folder, { recursive: true });
}

/** A small skill: its digest is computed before each run. */
function writeSkill(skill: string): void {
  mkdirSync(join(skill, "scripts"), { recursive: true });
  writeFileSync(
    join(skill, "SKILL.md"),
    `---\nname: ${SKILL}\ndescription: Does nothing.\n---\n\n${"Text.\n".repeat(1_000)}`,
  );
  writeFileSync(join(skill, SCRIPT), "true\n");
}

async function bare(): Promise<void> {
  const child = spawn("sh", [join(folder, SKILL, SCRIPT)], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  child.stderr.resume();
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`exit code ${code}`);
}

async function through(runner: RunnerName): Promise<() => Promise<void>> {
  const skillset = await createSkillset([folder], { scripts: { runner, consent: () => "always" } });
  const session = await skillset.session();
  return async () => {
    const result = await session.scripts.run(SKILL, SCRIPT);
    if (result.outcome !== "exited" || result.exitCode !== 0) throw new Error(JSON.stringify(result));
  };
}

/** Interleaved, with another contender first in each round, so that a slow moment of the machine affects all equally. */
async function measure(contenders: readonly Contender[]): Promise<void> {
  for (let round = -warmUp; round < rounds; round++) {
    for (let step = 0; step < contenders.length; step++) {
      const { run, times } = contenders[(round + warmUp + step) % contenders.length] as Contender;
      const start = performance.now();
      await run();
      if (round >= 0) times.push(performance.now() - start);
    }
  }
}

function writeReport(contenders: readonly Contender[], missing: readonly string[]): string {
  const base = contenders[0]?.times ?? [];
  const rows = contenders.map(({ name, times }) => {
    const cells = [0.5, 0.99].map((part) => {
      const [time, least] = [percentile(times, part), percentile(base, part)];
      return `${time.toFixed(1)} | ${times === base ? "" : `+${(time - least).toFixed(1)}`} | ${(time / least).toFixed(1)}`;
    });
    return `| ${name} | ${cells.join(" | ")} |`;
  });
  return [
    `Node ${process.versions.node}, ${cpus().length} cores. A script that only runs \`true\`, ${rounds} interleaved rounds in one process.`,
    "",
    "| runner | p50 ms | more | ratio | p99 ms | more | ratio |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...rows,
    ...missing.flatMap((line) => ["", line]),
  ].join("\n");
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.ceil(sorted.length * part) - 1, sorted.length - 1)] ?? Number.NaN;
}
