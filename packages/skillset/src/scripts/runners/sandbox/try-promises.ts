import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptEnd, ScriptJob, ScriptLimits } from "../../../core/script/script.ts";
import { removeOwnedFolder } from "../../../node/copy/owned-folder.ts";

/** A script that tries what a sandbox must prevent. Its first argument is a file that it must not see. */
export interface PromiseTest {
  readonly name: string;
  /**
   * Writes `written` and a newline to `$OUTPUT_DIR/new`. Each line of its output is the name of a promise that it found
   * broken, and the last line is `tested`.
   */
  readonly text: string;
  readonly args?: readonly string[];
  readonly limits?: Partial<ScriptLimits>;
}

const PROMISES: Readonly<Record<string, string>> = {
  root: "scripts run as root",
  files: "scripts see files of this machine",
  skill: "scripts can change the skill",
  output: "scripts cannot write to the output folder",
  network: "scripts see the network",
  environment: "scripts see environment variables of this program",
  processes: "scripts see other processes",
};

/**
 * Runs a test in a new folder, which is removed afterwards. Returns what the sandbox does not keep, and calls
 * `whyNotStarted` with the reason if the script did not run.
 */
export async function tryPromises(
  folder: string,
  { name, text, args = [], limits = {} }: PromiseTest,
  run: (job: ScriptJob) => Promise<ScriptEnd>,
  whyNotStarted: (reason: string) => string,
): Promise<string | undefined> {
  try {
    const [skillFolder, outputFolder, canary] = ["skill", "output", "canary"].map((one) => join(folder, one)) as [
      string,
      string,
      string,
    ];
    for (const one of [skillFolder, outputFolder]) mkdirSync(one);
    chmodSync(skillFolder, 0o755);
    writeFileSync(canary, randomBytes(8));
    chmodSync(canary, 0o644);
    writeFileSync(join(skillFolder, name), text);
    chmodSync(join(skillFolder, name), 0o644);
    const end = await run({
      skillFolder,
      outputFolder,
      script: name,
      args: [canary, ...args],
      limits: { time: 20_000, output: 10_000, memory: 2 ** 28, processes: 32, files: 1_000_000, ...limits },
      signal: new AbortController().signal,
      onOutput: () => {},
    });
    if (end.outcome === "refused") return whyNotStarted(end.reason);
    const lines = end.stdout.trim().split("\n");
    if (lines.at(-1) !== "tested") return `the test script did not finish: ${end.stderr.slice(0, 200)}`;
    const broken = lines.flatMap((line) => PROMISES[line] ?? []);
    if (broken.length > 0) return `it does not contain scripts: ${[...new Set(broken)].join(", ")}.`;
    const written = readFileSync(join(outputFolder, "new"), "utf8");
    return written === "written\n" ? undefined : "files that scripts write are lost.";
  } finally {
    removeOwnedFolder(folder);
  }
}
