import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { withFileLock } from "./file-lock.ts";
import { ownProcess } from "./process-owner.ts";

const SOON = { timeoutMs: 30 };

test("work runs under a lock that is removed afterwards, also when the work throws", () => {
  const root = temporaryFolder();
  const lock = join(root, "deep/x.lock");
  expect(withFileLock(lock, () => readFileSync(lock, "utf8"))).toEqual({ result: `${ownProcess()}\n${ownProcess()}` });
  const fail = () => {
    throw new Error("failed");
  };
  expect(() => withFileLock(lock, fail)).toThrow("failed");
  expect(readdirSync(join(root, "deep"))).toEqual([]);
});

test("a lock that a running process holds is waited for, and not broken", () => {
  const lock = join(temporaryFolder(), "x.lock");
  expect(withFileLock(lock, () => withFileLock(lock, () => "never", SOON))).toEqual({ result: undefined });
});

test("the lock of a process that has ended is broken", () => {
  const root = temporaryFolder();
  const lock = join(root, "x.lock");
  const program = `import { ownProcess } from ${JSON.stringify(join(import.meta.dirname, "process-owner.ts"))};
    import { writeFileSync } from "node:fs";
    writeFileSync(${JSON.stringify(lock)}, ownProcess() + "\\n" + ownProcess());`;
  expect(spawnSync(process.execPath, ["--input-type=module", "-e", program]).status).toBe(0);
  expect(existsSync(lock)).toBe(true);
  expect(withFileLock(lock, () => "done", SOON)).toEqual({ result: "done" });
  expect(readdirSync(root)).toEqual([]);
});

test("an old lock of a process that cannot be inspected is broken, and so is the lock that guards its removal", () => {
  const root = temporaryFolder();
  const lock = join(root, "x.lock");
  for (const path of [lock, `${lock}.break`]) writeFileSync(path, "");
  expect(withFileLock(lock, () => "never", SOON)).toBeUndefined();
  for (const path of [lock, `${lock}.break`]) utimesSync(path, 0, 0);
  expect(withFileLock(lock, () => "done")).toEqual({ result: "done" });
  expect(readdirSync(root)).toEqual([]);
});
