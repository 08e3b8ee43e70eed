import { readFileSync, readlinkSync } from "node:fs";

/** This process, told apart from every other one: also from a later one with the same number. */
export function ownProcess(): string {
  return `${process.pid}.${startOf(process.pid) ?? 0}.${namespace()}`;
}

/** Whether the process has ended beyond doubt. One that cannot be looked at from here counts as alive. */
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

/** Instead of its start, for a process that has ended and whose parent has not asked how. */
const BURIED = -1;

/** When a process started, in the kernel's own count. Only Linux tells. */
function startOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The program's name stands in brackets, and may itself hold any.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return /[ZX]/.test(fields[0] ?? "") ? BURIED : Number(fields[19]);
  } catch {
    return undefined;
  }
}

/** In a container the same number is another process. */
function namespace(): number {
  try {
    return Number(/\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? 0);
  } catch {
    return 0;
  }
}
