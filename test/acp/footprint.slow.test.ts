import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type ScriptStep, startScriptedModel } from "../../packages/testing/src/index.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { faultyCommand } from "./faulty-agent.ts";
import type { FootprintSetup } from "./footprint-program.ts";
import { filesChanged, readTraces } from "./read-traces.ts";

const run = promisify(execFile);
const HAS_STRACE = hasStrace();
const PROGRAM = fileURLToPath(new URL("./footprint-program.ts", import.meta.url));

/** Both the tools of a run, and those of a session, which are called through one. */
const SCRIPT: readonly ScriptStep[] = [
  { call: "activate_skill", input: { name: "stored" } },
  { call: "read_skill_file", input: { skill: "stored", path: "references/a.md" } },
  { call: "activate_skill", input: { name: "in-code" } },
  ({ tools }) =>
    tools.some((name) => name.endsWith("__note")) ? { call: "note" } : { call: "call_tool", input: { tool: "note" } },
  { call: "return_result", input: { result: 5 } },
  { say: "Done." },
];

const OUTCOMES = [
  ...[5, 5, 5, 5],
  ...["run-timed-out", "TimeoutError", "agent-failed"],
  ...["run-timed-out", "TimeoutError", "agent-failed"],
  ...["result-missing", "result-missing"],
  "agent-not-found",
];

test(`successful and failed runs leave no file behind${HAS_STRACE ? "" : " (temporary files are not detected without strace)"}`, {
  timeout: 60_000,
}, async () => {
  const { setup, folders, environment } = await prepare();
  await using good = await startScriptedModel(SCRIPT, { isSide: () => false });
  await using waiting = await startScriptedModel(Array(9).fill({ hang: true }), { isSide: () => false });
  const before = folders.map(snapshot);
  const traces = temporaryFolder();
  const program = [process.execPath, PROGRAM, JSON.stringify(setup(good.url, waiting.url))];
  const [command = "", ...args] = HAS_STRACE ? [...strace(traces), ...program] : program;
  const { stdout } = await run(command, args, { env: environment, timeout: 55_000 });
  const { pid, told } = JSON.parse(stdout) as { pid: number; told: unknown[] };
  expect(good.faults).toEqual([]);
  expect(told).toEqual(OUTCOMES);
  expect(folders.map(snapshot)).toEqual(before);
  if (!HAS_STRACE) return;
  const processes = readTraces(traces);
  const own = processes.find((one) => one.pid === pid);
  expect(own?.calls.length).toBeGreaterThan(100);
  expect(filesChanged(own?.calls ?? [])).toEqual([]);
  const bridges = processes.filter(({ program }) => program.includes("mcp-bridge"));
  expect(bridges.length).toBeGreaterThan(4);
  expect(bridges.flatMap(({ calls }) => filesChanged(calls))).toEqual([]);
});

test.runIf(HAS_STRACE)(
  "the check detects a program that leaves files, even from its threads",
  { timeout: 60_000 },
  async () => {
    const traces = temporaryFolder();
    const folder = temporaryFolder();
    const source = `
    import fs from "node:fs/promises";
    import { mkdirSync } from "node:fs";
    mkdirSync("made");
    await fs.writeFile("written", "x");
    await fs.rename("written", "renamed");
    await fs.rm("renamed");
    console.log(process.pid);`;
    const [command = "", ...args] = [...strace(traces), process.execPath, "--input-type=module", "--eval", source];
    const { stdout } = await run(command, args, { cwd: folder });
    const own = readTraces(traces).find(({ pid }) => pid === Number(stdout));
    const changed = filesChanged(own?.calls ?? []).map((call) => call.replace(/\(.*?"(\w+)".*/, " $1"));
    expect(changed.sort()).toEqual(["mkdir made", "openat written", "rename written", "unlink renamed"]);
  },
);

async function prepare() {
  const [work, home, temporary] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const stored = temporaryFolder({ "stored/SKILL.md": skillMd("stored"), "stored/references/a.md": "A" });
  mkdirSync(join(work, "sub"));
  // With either of these, Node itself writes files, whatever it runs.
  const { NODE_COMPILE_CACHE: _cache, NODE_V8_COVERAGE: _coverage, ...rest } = process.env;
  const environment = { ...rest, HOME: home, TMPDIR: temporary };
  const commandOf = (mode: string, ...args: string[]) => ({
    ...faultyCommand(mode, ...args).command,
    env: environment,
  });
  const setup = (good: string, waiting: string): FootprintSetup => ({
    good: commandOf("model", good),
    waiting: commandOf("model", waiting),
    crashing: commandOf("exit-mid-turn"),
    withoutMcp: commandOf("no-mcp"),
    stored: join(stored, "stored"),
    cwd: work,
  });
  return { setup, folders: [work, home, temporary, stored], environment };
}

/** Every file and folder below a folder, with its content and modification time. */
function snapshot(folder: string): readonly string[] {
  return ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })].sort().map((path) => {
    const place = join(folder, path);
    const stat = statSync(place);
    const content = stat.isFile() ? createHash("sha256").update(readFileSync(place)).digest("hex") : "";
    return `${path} ${stat.mode} ${stat.mtimeMs} ${content}`;
  });
}

function strace(folder: string): readonly string[] {
  const calls = "trace=%file,%process,ftruncate,fallocate,fchmod,fchown,fsetxattr";
  return ["strace", "-ff", "-s", "4096", "-o", join(folder, "trace"), "-e", calls];
}

function hasStrace(): boolean {
  try {
    // It may be installed without the permission to trace.
    execFileSync("strace", ["-f", "-o", "/dev/null", process.execPath, "--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
