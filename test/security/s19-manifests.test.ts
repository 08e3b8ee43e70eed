import { execFile } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { createSkillset } from "../../packages/skillset/src/node/load/create-skillset.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

const run = promisify(execFile);
const SKILLSET = resolve("packages/skillset/bin/skillset.js");

/** Ranges that a pattern with two readings for a space, a sign or a version splits in exponentially many ways. */
const RANGES = [
  `1${`${" ".repeat(20)}1`.repeat(20)}!`,
  `1${`${" ".repeat(10)}||${" ".repeat(10)}1`.repeat(20)}!`,
  `1${" - 1".repeat(20)}!`,
  `${"=1 ".repeat(20)}!`,
  `${">=v1 ".repeat(20)}!`,
  `${"1-1.1-1 ".repeat(20)}!`,
  `${"~> 1 ".repeat(20)}!`,
  `${"1.x.*".repeat(80)}!`,
  `1${" ".repeat(498)}!`,
  "1".repeat(499),
];

test("S19: no version range in a package.json stops the programs that load the skill", async () => {
  const skills = RANGES.map((range, index) => ({ name: `a${index}`, range }));
  const folder = temporaryFolder(
    Object.fromEntries(
      skills.flatMap(({ name, range }) => [
        [`${name}/SKILL.md`, skillMd(name, undefined, undefined, "metadata:\n  packages: npm:x\n")],
        [`${name}/package.json`, JSON.stringify({ dependencies: { x: range } })],
      ]),
    ),
  );
  const programs = [
    ["list", folder],
    ["prompt", folder],
    ["doctor", folder],
    ["validate", folder],
  ];
  let stalled = 0;
  for (const args of programs) {
    // A program that finds problems exits with 1.
    const ended = await run(process.execPath, [SKILLSET, ...args], {
      cwd: folder,
      timeout: DEADLINE,
      killSignal: "SIGKILL",
    }).catch((error: { killed?: boolean }) => error);
    if ("killed" in ended && ended.killed) stalled++;
  }
  expect((await createSkillset([folder])).entries).toHaveLength(RANGES.length);
  expect(await withAmbiguousPattern(RANGES[0] ?? ""), "the control").toBe("stalled");
  const control = "a pattern with two readings for each space does not end";
  const tried = "hostile version ranges, in programs that load the skill";
  report("S19", { tried, cases: RANGES.length * (programs.length + 1), through: stalled, control });
  expect(stalled).toBe(0);
}, 300_000);

const DEADLINE = 60_000;

async function withAmbiguousPattern(range: string): Promise<"ended" | "stalled"> {
  const code = `
    const { parentPort, workerData } = require("node:worker_threads");
    parentPort.postMessage(/^ *\\d+(?:(?: +- +| *\\|\\| *| +) *\\d+){0,20}$/.test(workerData));`;
  const worker = new Worker(code, { eval: true, workerData: range });
  try {
    return await Promise.race([
      once(worker, "message").then(() => "ended" as const),
      setTimeout(2_000, "stalled" as const),
    ]);
  } finally {
    await worker.terminate();
  }
}
