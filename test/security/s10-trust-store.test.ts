import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

const PROGRAM = fileURLToPath(new URL("./change-trust.mjs", import.meta.url));
const run = promisify(execFile);

/** Returns how many changes of three processes, each with its own skill, were lost. */
async function countLost(kind: "store" | "naive", rounds: number): Promise<number> {
  const names = ["a", "b", "c"];
  const root = temporaryFolder(Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillMd(name)])));
  const runs = names.map((name) =>
    run(process.execPath, [PROGRAM, kind, join(root, "trust.json"), join(root, name), String(rounds)]),
  );
  return (await Promise.all(runs)).reduce((sum, { stdout }) => sum + Number(stdout), 0);
}

test("parallel processes that trust and forget skills lose none of each other's changes", {
  timeout: 600_000,
}, async () => {
  const rounds = Math.min(Number(process.env.CASES ?? 100), 2_000);
  const through = await countLost("store", rounds);
  let naive = 0;
  for (const end = Date.now() + 20_000; naive === 0 && Date.now() < end; ) naive = await countLost("naive", rounds);
  const cases = 2 * 3 * rounds;
  report("S10", {
    tried: "parallel changes of the trust store",
    cases,
    through,
    control: `without a lock, ${naive.toLocaleString("en")} are lost`,
  });
  expect(through).toBe(0);
  expect(naive).toBeGreaterThan(0);
});
