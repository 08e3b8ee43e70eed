import { mkdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DEFAULTS } from "../../core/base/limits.ts";
import { hasEnded, ownProcess } from "./process-owner.ts";

/** Work under a lock takes milliseconds. An older lock is stale, even if its process cannot be inspected. */
const STALE_AFTER_MS = 60_000;
const RETRY_MS = 5;

export interface FileLockOptions {
  /**
   * How long to wait for another process, in milliseconds.
   * @default 10000
   */
  readonly timeoutMs?: number;
}

/** Runs work while holding a lock across processes. Returns undefined if the lock stays taken. */
export function withFileLock<Result>(
  path: string,
  work: () => Result,
  { timeoutMs = DEFAULTS.lockTimeout }: FileLockOptions = {},
): { readonly result: Result } | undefined {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const deadline = Date.now() + timeoutMs;
  while (!take(path)) {
    breakStale(path);
    if (Date.now() >= deadline) return undefined;
    Atomics.wait(SLEEP, 0, 0, RETRY_MS * (1 + Math.random()));
  }
  try {
    return { result: work() };
  } finally {
    removeIfThere(path);
  }
}

const SLEEP = new Int32Array(new SharedArrayBuffer(4));

function take(path: string): boolean {
  try {
    writeFileSync(path, `${ownProcess()}\n${ownProcess()}`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Windows refuses to create a file that another process is removing.
    if (code === "EEXIST" || (code === "EPERM" && process.platform === "win32")) return false;
    throw error;
  }
}

/**
 * Removes the lock of a process that has ended. Only one process at a time may do so: another one could take the lock
 * between the check and the removal.
 */
function breakStale(path: string): void {
  if (!isStale(path)) return;
  const guard = `${path}.break`;
  if (!take(guard)) {
    if (isStale(guard)) removeIfThere(guard);
    return;
  }
  try {
    if (isStale(path)) removeIfThere(path);
  } finally {
    removeIfThere(guard);
  }
}

function isStale(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs > STALE_AFTER_MS || hasOwnerEnded(readFileSync(path, "utf8"));
  } catch {
    // The lock no longer exists.
    return false;
  }
}

/** A damaged lock may name a process that has ended while its own still works. */
function hasOwnerEnded(text: string): boolean {
  const [owner = "", copy] = text.split("\n");
  return owner === copy && hasEnded(owner);
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
