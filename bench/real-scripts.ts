// Counts how many scripts of real skills start and run in each sandbox: `npx node bench/real-scripts.ts FOLDER…`, where
// each FOLDER is a checked-out repository. Every script gets `--help` as its only argument. With `--out FILE.md` the
// tables are written to the file. With `--prepare`, the packages that each skill declares are installed first, in
// bubblewrap: `--python-index URL` and `--npm-registry URL` name registries other than those of this machine.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { createSkillset, type Session } from "skillset";
import type { PrepareResult, RunnerName, ScriptResult } from "skillset/scripts";
import { writeSection } from "./write-section.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: "string", default: "30" },
    runner: { type: "string", multiple: true, default: ["bubblewrap", "embedded", "subprocess"] },
    prepare: { type: "boolean", default: false },
    "python-index": { type: "string" },
    "npm-registry": { type: "string" },
    out: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});
if (positionals.length === 0) throw new Error("Name folders with repositories of skills.");

interface Script {
  readonly repository: string;
  readonly folder: string;
  readonly path: string;
}

/** How far a script came. */
const OUTCOMES = {
  "ran to its end": /^$/,
  "started, then reported its own error": /^$/,
  "needs a package or program that is not installed":
    /ModuleNotFoundError|No module named|Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|not a dependency|Import "[^"]+" not|Could not (?:find|resolve)|ImportError|command not found|: not found|is required but|not installed|pip install|npm (?:i|install) /i,
  "stopped at a limit": /^$/,
  "did not start": /^$/,
} as const;
type Outcome = keyof typeof OUTCOMES;
const LACKING = "needs a package or program that is not installed";

const UNAVAILABLE =
  /No matching distribution|Could not find a version|Connection|ETIMEDOUT|ENOTFOUND|ECONN|E404|ERESOLVE|Network|getaddrinfo|Tunnel/i;

const SCRIPT = /(?:^|\/)(?:scripts|resources|bin)\/.*\.(?:py|sh|bash|js|mjs|cjs|ts|rb|pl)$/;
const NOT_FOR_USE =
  /(?:^|\/)(?:node_modules|tests?|__tests__|evals)\/|(?:^|\/)(?:__init__|test_[^/]*|conftest)\.py$|\.(?:test|spec|d)\.[a-z]+$/;

// Empty at the start: what was installed before would be found without `--prepare`.
const cache = mkdtempSync(join(tmpdir(), "bench-packages-"));
chmodSync(cache, 0o711);
process.once("exit", () => rmSync(cache, { recursive: true, force: true }));

const scripts = positionals.flatMap(sample);
const repositories = new Set(scripts.map(({ repository }) => repository));
const table = new Map<string, Map<Outcome, number>>();
for (const runner of values.runner as RunnerName[]) {
  const counts = new Map<Outcome, number>();
  for (const script of scripts) {
    const outcome = await tryScript(script, runner);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  table.set(runner, counts);
}
const prepared = values.prepare ? await prepareAll() : undefined;
if (prepared !== undefined) table.set("bubblewrap, prepared", prepared.counts);
const report = [describe(), ...(prepared === undefined ? [] : ["", ...describePrepared(prepared)])].join("\n");
console.log(report);
if (values.out !== undefined) writeSection(values.out, values.prepare ? "prepared scripts" : "real scripts", report);

/** Takes scripts evenly from a repository. */
function sample(repository: string): Script[] {
  const found = readdirSync(repository, { recursive: true, encoding: "utf8" })
    .filter((path) => SCRIPT.test(path) && !NOT_FOR_USE.test(path))
    .sort()
    .flatMap((path): Script[] => {
      const folder = skillFolder(repository, dirname(path));
      return folder === undefined
        ? []
        : [{ repository: basename(repository), folder, path: join(repository, path).slice(folder.length + 1) }];
    });
  const each = Number(values.each);
  const step = Math.max(1, found.length / each);
  return Array.from({ length: Math.min(each, found.length) }, (_, index) => found[Math.floor(index * step)]).filter(
    (one) => one !== undefined,
  );
}

/** The nearest folder above a script that has a SKILL.md. */
function skillFolder(repository: string, from: string): string | undefined {
  for (let folder = from; folder !== "."; folder = dirname(folder)) {
    if (existsSync(join(repository, folder, "SKILL.md"))) return join(repository, folder);
  }
  return undefined;
}

async function tryScript({ folder, path, repository }: Script, runner: RunnerName): Promise<Outcome> {
  const session = await openSession(folder, runner);
  const name = session?.skillset.names[0];
  const result = name === undefined ? undefined : await session?.scripts.run(name, path, { args: ["--help"] });
  const outcome = result === undefined ? "did not start" : outcomeOf(result);
  if (values.verbose) console.error([runner, outcome, repository, path, tail(result)].join("\t"));
  return outcome;
}

async function openSession(folder: string, runner: RunnerName): Promise<Session | undefined> {
  const { "python-index": pythonIndex, "npm-registry": npmRegistry } = values;
  const skillset = await createSkillset([folder], {
    onProblem: () => {},
    scripts: {
      runner,
      consent: () => "always",
      limits: { time: 20_000 },
      packages: { folder: cache, ...(pythonIndex && { pythonIndex }), ...(npmRegistry && { npmRegistry }) },
    },
  });
  return skillset.session();
}

interface Prepared {
  readonly counts: Map<Outcome, number>;
  /** How the preparation of each skill ended. */
  readonly skills: ReadonlyMap<string, string>;
  /** How many scripts still need a package or program, by the preparation of their skill. */
  readonly lacking: ReadonlyMap<string, number>;
}

/** Prepares each skill once, and runs all scripts again. */
async function prepareAll(): Promise<Prepared> {
  const skills = new Map<string, string>();
  for (const folder of new Set(scripts.map(({ folder }) => folder))) {
    const session = await openSession(folder, "bubblewrap");
    const [name] = session?.skillset.names ?? [];
    const result = name === undefined ? undefined : await session?.scripts.prepare(name);
    skills.set(folder, result === undefined ? "are unknown, because the skill is invalid" : preparationOf(result));
    if (values.verbose && result !== undefined && "reason" in result)
      console.error(["prepare", result.outcome, folder, result.reason.slice(0, 300)].join("\t"));
  }
  const counts = new Map<Outcome, number>();
  const lacking = new Map<string, number>();
  for (const script of scripts) {
    const outcome = await tryScript(script, "bubblewrap");
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    const preparation = skills.get(script.folder) ?? "";
    if (outcome === LACKING) lacking.set(preparation, (lacking.get(preparation) ?? 0) + 1);
  }
  return { counts, skills, lacking };
}

function preparationOf(result: PrepareResult): string {
  if (result.outcome === "nothing-declared") return "are not declared";
  if (!("reason" in result)) return "were installed";
  if (result.outcome === "refused") return "are refused";
  return UNAVAILABLE.test(result.reason) ? "cannot be had on this machine" : "could not be installed";
}

function describePrepared({ skills, lacking }: Prepared): readonly string[] {
  const counts = new Map<string, number>();
  for (const one of skills.values()) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [
    `The scripts belong to ${skills.size} skills.`,
    "",
    "| skills whose packages | skills | scripts that still need something |",
    "| --- | ---: | ---: |",
    ...[...counts]
      .sort((a, b) => b[1] - a[1])
      .map(([what, count]) => `| ${what} | ${count} | ${lacking.get(what) ?? 0} |`),
  ];
}

function outcomeOf(result: ScriptResult): Outcome {
  if (result.outcome === "refused") return "did not start";
  if (result.outcome !== "exited") return "stopped at a limit";
  if (result.exitCode === 0) return "ran to its end";
  if (OUTCOMES[LACKING].test(result.stderr + result.stdout)) return LACKING;
  return "started, then reported its own error";
}

function tail(result: ScriptResult | undefined): string {
  if (result === undefined) return "no skill";
  if (result.outcome === "refused") return result.reason;
  return (result.stderr || result.stdout).trim().split("\n").at(-1)?.slice(0, 200) ?? "";
}

function describe(): string {
  const share = (count = 0): string => `${count} (${Math.round((100 * count) / scripts.length)} %)`;
  const rows = (Object.keys(OUTCOMES) as Outcome[]).map(
    (outcome) => `| ${outcome} | ${[...table.values()].map((counts) => share(counts.get(outcome))).join(" | ")} |`,
  );
  return [
    `${scripts.length} scripts of ${repositories.size} repositories, each called with \`--help\`.`,
    "",
    `| | ${[...table.keys()].join(" | ")} |`,
    `| --- |${" ---: |".repeat(table.size)}`,
    ...rows,
  ].join("\n");
}
