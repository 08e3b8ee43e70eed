// Disables each guard of a security requirement, one after another, in a copy of the repository, and demands that its
// test fails with the few cases that CI tries. Prints a table. Options: --only TEXT (in the guard's name or its
// requirement; may be repeated), --runs N (each must fail).
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { guards } from "./guards/all.ts";
import type { Guard } from "./guards/guard.ts";

/** A test that hangs without its guard has noticed it too. */
const DEADLINE = 120_000;

type Result = "fails" | "hangs" | "passes" | "cannot run";

const { values } = parseArgs({
  options: { only: { type: "string", multiple: true, default: [""] }, runs: { type: "string", default: "1" } },
});
const { only, runs } = values;
const chosen = guards.filter(({ name, requirement }) =>
  only.some((text) => name.includes(text) || requirement === text),
);
if (chosen.length === 0) throw new Error(`No guard is named '${only.join("' or '")}'.`);

const copy = mkdtempSync(join(tmpdir(), "skillset-guards-"));
// Scripts of root run as another user, who must be able to read the programs of the tests.
chmodSync(copy, 0o755);
process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
copyRepository();

const passing = new Map<string, Promise<Result>>();
let missed = 0;
console.log("| requirement | guard | change | test | without the guard |\n| --- | --- | --- | --- | --- |");
for (const guard of chosen) {
  const found = await tryGuard(guard);
  if (!found.isNoticed) missed++;
  const change = `${asCode(guard.text)} → ${asCode(guard.broken)}`;
  console.log(`| ${guard.requirement} | ${guard.name} | ${change} | ${guard.test} | ${found.text} |`);
}
console.log(`\n${chosen.length} guards, ${missed} not noticed`);
process.exitCode = missed === 0 ? 0 : 1;

/** Returns code for a cell of a table. */
function asCode(text: string): string {
  if (text === "") return "nothing";
  const line = text.replace(/\s+/g, " ").replaceAll("|", "\\|");
  return line.includes("`") ? `\`\` ${line} \`\`` : `\`${line}\``;
}

/** A test that fails with the guard too proves nothing. */
async function tryGuard(guard: Guard): Promise<{ readonly text: string; readonly isNoticed: boolean }> {
  const key = JSON.stringify([guard.test, guard.title]);
  const first = passing.get(key) ?? runTest(guard);
  passing.set(key, first);
  const usual = await first;
  if (usual !== "passes") return { text: `**with the guard, the test ${usual}**`, isNoticed: false };
  const file = join(copy, guard.file);
  const source = readFileSync(file, "utf8");
  if (source.split(guard.text).length !== 2) return { text: "**the guard is not in its file**", isNoticed: false };
  writeFileSync(
    file,
    source.replace(guard.text, () => guard.broken),
  );
  try {
    const results: Result[] = [];
    for (let run = 0; run < Number(runs); run++) results.push(await runTest(guard));
    const isNoticed = results.every((result) => result === "fails" || result === "hangs");
    const text = [...new Set(results)].join(", ");
    return { text: isNoticed ? text : `**${text}**`, isNoticed };
  } finally {
    writeFileSync(file, source);
  }
}

/** Runs the test in the copy. */
async function runTest({ test, title, needsBuild }: Guard): Promise<Result> {
  if (needsBuild && spawnSync("node", ["scripts/build.ts"], { cwd: copy, stdio: "ignore" }).status !== 0)
    return "cannot run";
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const { CASES: _cases, SOAK: _soak, KILLS: _kills, CI: _ci, ...env } = process.env;
  const filter = title === undefined ? [] : ["--testNamePattern", title];
  const child = spawn("npx", ["vitest", "run", test, ...filter, "--reporter=json", `--outputFile=${report}`], {
    cwd: copy,
    env: { ...env, SLOW: "1" },
    stdio: "ignore",
    detached: true,
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    // The group: a test that is busy does not hear a signal to its parent.
    process.kill(-(child.pid as number), "SIGKILL");
  }, DEADLINE);
  await new Promise((done) => child.once("exit", done));
  clearTimeout(timer);
  if (isLate) return "hangs";
  return readReport(report);
}

function readReport(path: string): Result {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(path, "utf8")) as Record<string, number>;
    if ((numFailedTests ?? 0) > 0) return "fails";
    // A file that cannot be loaded has no tests.
    return (numPassedTests ?? 0) > 0 ? "passes" : "cannot run";
  } catch {
    return "cannot run";
  }
}

/** All files that are in Git or new, and links to the installed packages. Our own packages are those of the copy. */
function copyRepository(): void {
  const names = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const name of names.split("\0")) {
    if (name === "") continue;
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    cpSync(name, join(copy, name), { force: true, verbatimSymlinks: true });
  }
  linkPackages(".");
  for (const workspace of ["packages", "apps"])
    for (const name of readdirSync(workspace)) linkPackages(join(workspace, name));
}

function linkPackages(folder: string): void {
  const from = resolve(folder, "node_modules");
  const to = join(copy, folder, "node_modules");
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    // Links lead to our own packages, relative to the folder.
    if (entry.isSymbolicLink() || entry.name === "@skillset")
      cpSync(join(from, entry.name), join(to, entry.name), { recursive: true, verbatimSymlinks: true });
    else if (!entry.name.startsWith(".") || entry.name === ".bin")
      symlinkSync(join(from, entry.name), join(to, entry.name));
  }
}
