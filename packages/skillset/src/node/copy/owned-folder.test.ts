import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { makeTemporaryFolder, removeOwnedFolder } from "./owned-folder.ts";

const MODULE = new URL("owned-folder.ts", import.meta.url).href;

/** Creates a temporary folder in a process that is killed before it removes it. */
function leaveFolder(prefix: string): string {
  const program = `
    const { makeTemporaryFolder } = await import(${JSON.stringify(MODULE)});
    process.stdout.write(makeTemporaryFolder(${JSON.stringify(prefix)}), () => process.kill(process.pid, "SIGKILL"));
  `;
  const path = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" }).stdout;
  writeFileSync(join(path, "launch.sh"), "secret");
  return path;
}

test("the first temporary folder with a prefix removes those of killed processes", () => {
  vi.stubEnv("TMPDIR", temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const [left, other] = [leaveFolder("skillset-run-"), leaveFolder("skillset-other-")];
  const first = makeTemporaryFolder("skillset-run-");
  expect([left, other].map((path) => existsSync(path))).toEqual([false, true]);
  const second = makeTemporaryFolder("skillset-run-");
  expect([first, second].map((path) => existsSync(path))).toEqual([true, true]);
  for (const path of [first, second]) removeOwnedFolder(path);
});
