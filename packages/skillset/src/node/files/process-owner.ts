import { readFileSync, readlinkSync } from "node:fs";

/** Returns a unique id for this process, different even from a later process with the same pid. */
export function ownProcess(): string {
  return `${process.pid}.${startOf(process.pid) ?? 0}.${namespace()}`;
}

/** Whether the process has certainly ended. A process that cannot be inspected counts as alive. */
export function hasEnded(owner: string): boolean {
  const [pid = 0, start, space] = owner.split(".").map(Number);
  if (!Number.isInteger(pid) || pid <= 0 || space !== namespace()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return true;
  }
  const now = startOf(pid);
  return now !== undefined && (now === BURIED || (start !== 0 && now !== start));
}

/** Returned instead of the start time for a zombie process. */
const BURIED = -1;

/** Returns when a process started, in kernel ticks. Linux only. */
function startOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The program's name is in parentheses and may itself contain parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return /[ZX]/.test(fields[0] ?? "") ? BURIED : Number(fields[19]);
  } catch {
    return undefined;
  }
}

/** The same pid in another container is another process. */
function namespace(): number {
  try {
    return Number(/\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? 0);
  } catch {
    return 0;
  }
}
