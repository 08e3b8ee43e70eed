import { closeSync, openSync, rmSync, statSync } from "node:fs";

/** Work under the lock takes milliseconds. An older lock is of a process that was killed. */
const STALE_AFTER_MS = 2_000;
const GIVE_UP_AFTER_MS = 10_000;
const RETRY_MS = 5;

/** Runs work while no other process does the same for this file. A build must end, so it does not wait forever. */
export function withLock(file: string, work: () => void): void {
  const lock = `${file}.lock`;
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  while (!take(lock) && Date.now() < deadline) {
    if (ageOf(lock) > STALE_AFTER_MS) rmSync(lock, { force: true });
    else Atomics.wait(SLEEP, 0, 0, RETRY_MS * (1 + Math.random()));
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

const SLEEP = new Int32Array(new SharedArrayBuffer(4));

function take(lock: string): boolean {
  try {
    closeSync(openSync(lock, "wx"));
    return true;
  } catch (error) {
    // Windows refuses to create a file that another process is removing.
    if (["EEXIST", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

function ageOf(lock: string): number {
  const found = statSync(lock, { throwIfNoEntry: false });
  return found === undefined ? 0 : Date.now() - found.mtimeMs;
}
