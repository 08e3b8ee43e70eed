import { randomUUID } from "node:crypto";
import {
  linkSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { StartError } from "../config/start-error.ts";

export interface LockOptions {
  /** Called when another process took over the lock, for example after this one was suspended. It must stop writing. */
  readonly onLost?: () => void;
  /** The interval for renewing the lock, in milliseconds. */
  readonly beat?: number;
  /** A process on another machine counts as dead if it has not renewed its lock for this many milliseconds. */
  readonly stale?: number;
  /** How long to wait for a process that may be ending, in milliseconds. */
  readonly patience?: number;
}

/**
 * Locks a folder for this process and returns a function that releases it. The embedded database does not protect its
 * files: two processes would both write and lose acknowledged data. The lock of a dead process is taken over. A process
 * in another container or on another machine counts as alive while it renews its lock.
 */
export async function lockFolder(folder: string, options: LockOptions = {}): Promise<() => void> {
  const { onLost = () => {}, beat = 5_000, stale = 20_000, patience = 3_000 } = options;
  const lock = join(folder, "lock");
  const id = randomUUID();
  const own = `${lock}.${id}`;
  const content = JSON.stringify({ id, pid: process.pid, started: startOf(process.pid), ...HERE });
  writeFileSync(own, content, { mode: 0o600 });
  try {
    for (const end = performance.now() + patience; !isLinked(own, lock); ) {
      const found = readText(lock);
      const isLate = performance.now() >= end;
      if (found === undefined && isLate && timeOf(lock) !== undefined) {
        throw new StartError(`The lock of the chat's database, ${lock}, cannot be read. Delete it if no chat uses it.`);
      }
      const holder = found && (await aliveHolder(found, () => isBeating(lock, own, stale)));
      if (found === undefined || (holder !== undefined && !isLate)) {
        // A process that was killed takes a moment to end.
        await pause(Math.min(50, patience));
        continue;
      }
      if (holder !== undefined) {
        throw new StartError(
          `The chat's database in ${folder} is in use by ${holder}. Stop that process, or set DATA_DIR to another folder.`,
        );
      }
      takeAway(lock, found);
    }
  } finally {
    rmSync(own, { force: true });
  }
  const timer = setInterval(() => {
    if (readText(lock) === content) return utimesSync(lock, new Date(), new Date());
    clearInterval(timer);
    onLost();
  }, beat).unref();
  return () => {
    clearInterval(timer);
    if (readText(lock) === content) rmSync(lock, { force: true });
  };
}

/** Process ids are comparable only within one machine and process namespace. */
const HERE = { host: hostname(), namespace: namespaceOf() };

function namespaceOf(): string | undefined {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return undefined;
  }
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

/** Removes the lock of a dead process, unless another process has replaced it meanwhile. */
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

interface Holder {
  readonly pid: number;
  readonly started?: string;
  readonly host?: string;
  readonly namespace?: string;
}

/** Describes the process that holds the lock; undefined if it is dead. */
async function aliveHolder(content: string, isBeating: () => Promise<boolean>): Promise<string | undefined> {
  const holder = parseHolder(content);
  if (holder === undefined) return undefined;
  const { pid, host = HERE.host, namespace = HERE.namespace } = holder;
  if (host === HERE.host && namespace === HERE.namespace) return isAlive(holder) ? `process ${pid}` : undefined;
  return (await isBeating()) ? `process ${pid} in another container or on another machine, '${host}'` : undefined;
}

function parseHolder(content: string): Holder | undefined {
  try {
    const holder = JSON.parse(content) as Holder | null;
    return typeof holder?.pid === "number" ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Compares start times too, because process ids are reused. */
function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // The process is alive and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  if (isZombie(pid)) return false;
  const now = startOf(pid);
  return started === undefined || now === undefined || started === now;
}

/** Waits until the lock is renewed or expires. Its age is measured against a file just written next to it. */
async function isBeating(lock: string, own: string, stale: number): Promise<boolean> {
  const first = timeOf(lock);
  const age = Math.max(0, (timeOf(own) ?? 0) - (first ?? 0));
  for (const end = performance.now() + stale - age; performance.now() < end; ) {
    await pause(Math.min(200, stale));
    const now = timeOf(lock);
    if (now !== first) return now !== undefined;
  }
  return false;
}

function timeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** Whether a process has ended, all of its threads too, and only its parent has not noticed. */
function isZombie(pid: number): boolean {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined || !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2))) return false;
  try {
    return readdirSync(`/proc/${pid}/task`).length <= 1;
  } catch {
    return true;
  }
}

/** The start time of a process, in ticks since boot; undefined if the system does not report it. */
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
