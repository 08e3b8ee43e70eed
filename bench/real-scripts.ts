// Counts how many scripts of real skills start and run in each sandbox: `npx node bench/real-scripts.ts FOLDER…`, where
// each FOLDER is a checked-out repository. Every script gets `--help` as its only argument. With `--out FILE.md` the
// tables are written to the file.
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { createSkillset, type Session } from "skillset";
import type { RunnerName, ScriptResult } from "skillset/scripts";
import { writeSection } from "./write-section.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: "string", default: "30" },
    runner: { type: "string", multiple: true, default: ["bubblewrap", "embedded", "subprocess"] },
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

const SCRIPT = /(?:^|\/)(?:scripts|resources|bin)\/.*\.(?:py|sh|bash|js|mjs|cjs|ts|rb|pl)$/;
const NOT_FOR_USE =
  /(?:^|\/)(?:node_modules|tests?|__tests__|evals)\/|(?:^|\/)(?:__init__|test_[^/]*|conftest)\.py$|\.(?:test|spec|d)\.[a-z]+$/;

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
const report = describe();
console.log(report);
if (values.out !== undefined) writeSection(values.out, "real scripts", report);

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
  const result = name === undefined ? undefined : await session?.run(name, path, { args: ["--help"] });
  const outcome = result === undefined ? "did not start" : outcomeOf(result);
  if (values.verbose) console.error([runner, outcome, repository, path, tail(result)].join("\t"));
  return outcome;
}

async function openSession(folder: string, runner: RunnerName): Promise<Session | undefined> {
  const skillset = await createSkillset([folder], {
    onProblem: () => {},
    scripts: { runner, consent: () => "always", limits: { time: 20_000 } },
  });
  return skillset.session();
}

function outcomeOf(result: ScriptResult): Outcome {
  if (result.outcome === "refused") return "did not start";
  if (result.outcome !== "exited") return "stopped at a limit";
  if (result.exitCode === 0) return "ran to its end";
  const needs = "needs a package or program that is not installed";
  if (OUTCOMES[needs].test(result.stderr + result.stdout)) return needs;
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
