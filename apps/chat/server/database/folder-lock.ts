import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../start-error.ts";

/**
 * Holds a folder for this process, and gives what releases it. The embedded database does not guard its files: two
 * processes would both write, and lose what they acknowledged. A lock of a process that is dead is taken over.
 */
export function lockFolder(folder: string): () => void {
  const lock = join(folder, "lock");
  const own = `${lock}.${randomUUID()}`;
  const content = JSON.stringify({ pid: process.pid, started: startOf(process.pid) });
  writeFileSync(own, content, { mode: 0o600 });
  try {
    while (!isLinked(own, lock)) {
      const found = readText(lock);
      if (found === undefined) continue;
      const holder = aliveHolder(found);
      if (holder !== undefined) {
        throw new StartError(
          `The chat's database in ${folder} is in use by the process ${holder}: end that one first, or set DATA_DIR to another folder.`,
        );
      }
      takeAway(lock, found);
    }
  } finally {
    rmSync(own, { force: true });
  }
  return () => {
    if (readText(lock) === content) rmSync(lock, { force: true });
  };
}

/** Linking fails when the lock exists, so only one of several processes succeeds. */
function isLinked(own: string, lock: string): boolean {
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Removes a dead process's lock, unless another process has put its own there meanwhile. */
function takeAway(lock: string, dead: string): void {
  const aside = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, aside);
  } catch {
    return;
  }
  if (readText(aside) !== dead) isLinked(aside, lock);
  rmSync(aside, { force: true });
}

/** The id of the process that holds the lock, if it lives: a number may be another process's by now. */
function aliveHolder(content: string): number | undefined {
  try {
    const { pid, started } = JSON.parse(content) as { pid: number; started?: string };
    process.kill(pid, 0);
    const now = startOf(pid);
    return started === undefined || now === undefined || started === now ? pid : undefined;
  } catch (error) {
    // It lives, and is somebody else's.
    return (error as NodeJS.ErrnoException).code === "EPERM" ? (JSON.parse(content) as { pid: number }).pid : undefined;
  }
}

/** When a process started, in ticks since the machine did, where the system tells. */
function startOf(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
