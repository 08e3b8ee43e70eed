import { closeSync, constants, fchmodSync, lstatSync, openSync, readdirSync, rmSync, unlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

/** Removes a file or a folder with its contents, even read-only ones. Follows no links. */
export function removeTree(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) {
    unlinkSync(path);
    return;
  }
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (!isDenied(error)) throw error;
    // Without root, nothing can be removed from a read-only folder.
    makeWritable(path);
    rmSync(path, { recursive: true, force: true });
  }
}

/** The same for what a script left behind: other work continues meanwhile. */
export async function removeLargeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENAMETOOLONG") return removeInThread(path);
    if (!isDenied(error)) throw error;
    removeTree(path);
  }
}

/** `rmSync` also removes folders that are nested deeper than any path can be long, but `rm` does not. */
function removeInThread(path: string): Promise<void> {
  const code = 'require("node:fs").rmSync(require("node:worker_threads").workerData, { recursive: true, force: true })';
  const worker = new Worker(code, { eval: true, workerData: path });
  return new Promise((done, fail) => void worker.once("error", fail).once("exit", () => done()));
}

function isDenied(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EACCES" || code === "EPERM" || code === "ENOTEMPTY";
}

function makeWritable(folder: string): void {
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    fchmodSync(fd, 0o700);
  } finally {
    closeSync(fd);
  }
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(join(folder, entry.name));
  }
}
