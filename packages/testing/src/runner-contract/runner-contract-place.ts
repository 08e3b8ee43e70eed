import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ScriptEnd, ScriptJob, ScriptLimits, ScriptOutput, ScriptRunner } from "skillset/scripts";

/** One behaviour that every runner must have. */
export interface RunnerScenario {
  /** A short id, which stays the same when the title is reworded. */
  readonly id: string;
  /** A sentence that is true of a runner that passes. */
  readonly title: string;
  /** Capabilities that the scenario needs. A runner without one has the reason in `lacks`. */
  readonly needs?: readonly RunnerCapability[];
  /** Rejects with an `AssertionError` if the behaviour differs. */
  run(runner: ContractRunner): Promise<void>;
}

export type RunnerCapability =
  /** Scripts cannot see files, variables or the network of the host, and cannot change the skill. */
  | "contained"
  /** Scripts can start real processes, also in the background. */
  | "processes"
  /** Scripts in shell can use much memory. */
  | "memory"
  | "python"
  | "javascript"
  | "typescript";

/** A runner under test. */
export interface ContractRunner {
  readonly name: string;
  /**
   * Capabilities that the runner lacks, each with the reason.
   * @default {}
   */
  readonly lacks?: Partial<Readonly<Record<RunnerCapability, string>>>;
  readonly runner: ScriptRunner;
}

/** Files of a skill, by path. The first one is the script. */
export type ContractScript = Readonly<Record<string, string | Uint8Array>>;

/** What a scenario changes in a job. */
export interface ContractJob extends Partial<Pick<ScriptJob, "args" | "stdin" | "env" | "signal" | "onOutput">> {
  readonly limits?: Partial<ScriptLimits>;
}

/** The tools of a scenario. */
export interface RunnerAtWork {
  readonly skillFolder: string;
  readonly outputFolder: string;
  /** Runs the script. */
  run(job?: ContractJob): Promise<ScriptEnd>;
  /** Runs the script, and returns what it wrote to stdout. Fails if its exit code is not 0. */
  stdoutOf(job?: ContractJob): Promise<string>;
}

/** Creates a skill with a script, and removes it after the work. */
export async function withScript(
  { runner }: ContractRunner,
  files: ContractScript,
  work: (atWork: RunnerAtWork) => Promise<void>,
): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "skillset-runner-")));
  const [skillFolder, outputFolder] = [join(root, "skill"), join(root, "output")];
  try {
    // A runner may use another user.
    chmodSync(root, 0o711);
    mkdirSync(outputFolder, { mode: 0o700 });
    for (const [path, content] of Object.entries(files)) writeReadable(skillFolder, path, content);
    const run = (job: ContractJob = {}): Promise<ScriptEnd> =>
      runner.run({
        skillFolder,
        outputFolder,
        script: Object.keys(files)[0] as string,
        args: [],
        signal: new AbortController().signal,
        onOutput: () => {},
        ...job,
        limits: { ...LIMITS, ...job.limits },
      });
    await work({
      skillFolder,
      outputFolder,
      run,
      stdoutOf: async (job) => {
        const end = await run(job);
        assert.ok(end.outcome === "exited" && end.exitCode === 0, JSON.stringify(end));
        return end.stdout;
      },
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const LIMITS: ScriptLimits = {
  time: 30_000,
  output: 1_000_000,
  memory: 512 * 1024 * 1024,
  processes: 64,
  files: 10_000_000,
};

function writeReadable(root: string, path: string, content: string | Uint8Array): void {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  for (let folder = dirname(target); folder !== dirname(root); folder = dirname(folder)) chmodSync(folder, 0o755);
  writeFileSync(target, content);
  chmodSync(target, 0o755);
}

/** Returns the listener for a job, and what it received. */
export function listen(): { outputs: ScriptOutput[]; onOutput(output: ScriptOutput): void } {
  const outputs: ScriptOutput[] = [];
  return { outputs, onOutput: (output) => void outputs.push(output) };
}

/** Fails if a process still writes to a file. */
export async function assertQuiet(path: string): Promise<void> {
  const sizeOf = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const before = sizeOf();
  await pause(400);
  assert.equal(sizeOf(), before, "A process of the script is still running.");
}

/** Shell text: a function that writes to the output folder ten times a second, for at most 20 seconds. */
export const BEAT =
  'beat() { i=0; while [ "$i" -lt 200 ]; do i=$((i + 1)); echo "$i" >>"$OUTPUT_DIR/beat"; sleep 0.1; done; }\n';
