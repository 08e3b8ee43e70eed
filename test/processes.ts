import { readdirSync, readFileSync } from "node:fs";

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Returns the pids and command lines of other processes that have a text in their arguments. Linux only. */
export function processesWith(text: string): readonly string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      // A process that ended and is not collected yet has no arguments.
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      return line.includes(text) ? [`${pid} ${line}`] : [];
    } catch {
      return [];
    }
  });
}
