// Runs every example. Each asserts its results, and exits non-zero if an assertion fails.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

const examples = readdirSync("examples");
let failed = 0;
for (const name of examples) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`examples/${name}/index.ts`], {
    encoding: "utf8",
    timeout: 60_000,
  });
  if (status !== 0) failed++;
  console.log(`${status === 0 ? "ok  " : "FAIL"} examples/${name}`);
  if (status !== 0) console.log(stdout + stderr);
}
console.log(`${examples.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
