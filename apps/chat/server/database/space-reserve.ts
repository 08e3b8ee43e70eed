import { randomBytes } from "node:crypto";
import { closeSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { freeBytes } from "./free-space.ts";

/**
 * Allocates a file beside the database, unless it exists or fewer than `left` bytes would remain. On a full disk it is
 * removed before the database is opened, because repeating the log after a crash may need space.
 */
export function keepReserve(folder: string, left = LEAST_LEFT): void {
  const file = join(folder, FILE);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size >= RESERVE || freeBytes(folder) + size < RESERVE + left) return;
  try {
    // Zeros would take no space on a file system that compresses.
    const bytes = randomBytes(MIB);
    const descriptor = openSync(file, "w", 0o600);
    try {
      for (let written = 0; written < RESERVE; written += bytes.length) writeSync(descriptor, bytes);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Another program was faster.
    releaseReserve(folder);
  }
}

export function releaseReserve(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

const MIB = 1024 * 1024;
const FILE = "reserve";
/** Two segments of the database's log, or that much data. */
const RESERVE = 32 * MIB;
/** A disk with less than this needs its space for chats. */
const LEAST_LEFT = 64 * MIB;
