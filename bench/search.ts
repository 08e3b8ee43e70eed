import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Chart, drawCharts } from "./chart/draw-charts.ts";
import { SIZES as ALL_SIZES, writePublicSkills } from "./corpus/public-skills.ts";
import { median, runChild } from "./run-child.ts";
import { writeSection } from "./write-section.ts";

type Way = { readonly id: string; readonly name: string };
type Figures = {
  readonly cpu: number;
  /** The longest time without a turn of the event loop. */
  readonly stall: number;
  /** The longest turn, in CPU time. */
  readonly turn: number;
  readonly p50: number;
  readonly p99: number;
  readonly memory: number;
};
type Row = Way & { readonly figures: readonly (Figures | undefined)[] };

const QUERIES = 300;
const inRepository = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const WAYS: readonly Way[] = [
  { id: "none", name: "skills loaded, no index" },
  { id: "ours", name: "skillset" },
  { id: "bm25", name: "plain BM25" },
  { id: "minisearch", name: "minisearch 7.2.0" },
];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "3" },
    most: { type: "string", default: String(ALL_SIZES.at(-1)) },
    peers: { type: "string", default: inRepository("bench/peers") },
    out: { type: "string" },
  },
});
const [corpus] = positionals;
const rounds = Number(values.rounds);
const SIZES = ALL_SIZES.filter((size) => size <= Number(values.most));
if (corpus === undefined || !(rounds > 0)) {
  console.error("usage: node bench/search.ts FOLDER [--rounds 3] [--most 50000] [--peers FOLDER] [--out FILE.md]");
  console.error("FOLDER has skills.jsonl.gz (dir, text) and queries.jsonl (query, shouldTrigger).");
  process.exit(1);
}

const work = join(tmpdir(), "skillset-bench", "search");
mkdirSync(work, { recursive: true });
const folders = writePublicSkills(resolve(corpus, "skills.jsonl.gz"), work);
const queries = writeQueries(corpus);
const rows = WAYS.map((way): Row => ({ ...way, figures: SIZES.map((_, at) => measure(way, at)) }));
const report = writeReport(rows);
console.log(report);
if (values.out !== undefined) {
  writeFileSync(join(dirname(values.out), "images/search.svg"), drawCharts(SIZES, toCharts(rows)));
  writeSection(values.out, "search", report);
}

/** Each in a separate process. The medians of all rounds, or undefined if one fails. Runs over a minute are not repeated. */
function measure({ id, name }: Way, at: number): Figures | undefined {
  const script = inRepository("bench/contenders/search.mjs");
  const args = [script, id, queries, resolve(values.peers), ...folders.slice(0, at + 1)];
  const run = () => runChild(args, { timeout: 900_000 });
  const found: Figures[] = [];
  const start = performance.now();
  for (let round = 0; round < rounds && performance.now() - start < 60_000; round++) {
    const result = run();
    console.error(`${name}, ${SIZES[at]}: ${result.outcome === "failed" ? result.reason : result.lastLine}`);
    if (result.outcome === "failed") return undefined;
    found.push({ ...JSON.parse(result.lastLine), memory: result.peakBytes / 1e6 });
  }
  const middle = (key: keyof Figures) => median(found.map((one) => one[key]));
  return {
    cpu: middle("cpu"),
    stall: middle("stall"),
    turn: middle("turn"),
    p50: middle("p50"),
    p99: middle("p99"),
    memory: middle("memory"),
  };
}

function writeQueries(folder: string): string {
  const lines = readFileSync(join(folder, "queries.jsonl"), "utf8").trim().split("\n");
  const asked = lines.map((line) => JSON.parse(line) as { query: string; shouldTrigger: boolean });
  const file = join(work, "queries.json");
  const queries = asked.filter(({ shouldTrigger }) => shouldTrigger).map(({ query }) => query);
  writeFileSync(file, JSON.stringify(queries.slice(0, QUERIES)));
  return file;
}

function writeReport(rows: readonly Row[]): string {
  const table = SIZES.flatMap((size, at) =>
    rows.map(({ name, figures }) => {
      const one = figures[at];
      const cells = one === undefined ? ["failed", "", "", "", "", ""] : cellsOf(one);
      return `| ${[size.toLocaleString("en"), name, ...cells].join(" | ")} |`;
    }),
  );
  const exponents = rows
    .filter(({ id }) => id !== "none")
    .map(({ name, figures }) => {
      const fitted = [(one: Figures) => one.cpu, (one: Figures) => one.p50, (one: Figures) => one.p99].map((pick) =>
        fitExponent(figures.map((one) => one && pick(one))).toFixed(2),
      );
      return `| ${[name, ...fitted].join(" | ")} |`;
    });
  const copies = "from 2,000 on, public skills are repeated with a third of their longer words replaced";
  return [
    `Public skills with their instructions; ${copies}. Node ${process.versions.node}, ${cpus().length} cores, ${QUERIES} real requests. Each row is a process that loads the skills from folders and then indexes them: medians of ${rounds}; runs over a minute are not repeated. The memory is the peak of the whole process.`,
    "",
    "| skills | index | CPU to index | longest stall | of it CPU | peak memory | a query, p50 | p99 |",
    "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...table,
    "",
    "The exponent of a power of the number of skills, fitted over these sizes (1 is proportional):",
    "",
    "| index | CPU to index | a query, p50 | p99 |",
    "| --- | ---: | ---: | ---: |",
    ...exponents,
  ].join("\n");
}

function cellsOf({ cpu, stall, turn, memory, p50, p99 }: Figures): string[] {
  return [
    `${cpu.toFixed(0)} ms`,
    `${stall.toFixed(0)} ms`,
    `${turn.toFixed(0)} ms`,
    `${memory.toFixed(0)} MB`,
    `${p50.toFixed(2)} ms`,
    `${p99.toFixed(2)} ms`,
  ];
}

function toCharts(rows: readonly Row[]): Chart[] {
  const drawn = rows.filter(({ id }) => id !== "none");
  const chart = (title: string, unit: string, pick: (one: Figures) => number, goal?: number): Chart => ({
    title,
    unit,
    ...(goal !== undefined && { goal }),
    lines: drawn.map(({ name, figures }) => ({ name, values: figures.map((one) => one && pick(one)) })),
  });
  return [
    chart("CPU to index", "ms", ({ cpu }) => cpu),
    chart("Longest stall of the event loop (dotted: 20 ms)", "ms", ({ stall }) => stall, 20),
    chart("Peak memory of the process", "MB", ({ memory }) => memory),
    chart("A query, p50", "ms", ({ p50 }) => p50),
  ];
}

/** The slope of the line through the points in logarithms. */
function fitExponent(values: readonly (number | undefined)[]): number {
  const points = values.flatMap((value, at) =>
    value === undefined ? [] : [{ x: Math.log(SIZES[at] ?? 1), y: Math.log(value) }],
  );
  const mean = (key: "x" | "y") => points.reduce((sum, point) => sum + point[key], 0) / points.length;
  const [x, y] = [mean("x"), mean("y")];
  const covariance = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  return covariance / points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
}
