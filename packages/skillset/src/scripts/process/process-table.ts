import { execFile } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";

/** A running process of this machine. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly threads: number;
  /** When it started, in kernel ticks. 0 where that is unknown. */
  readonly start: number;
  /** Resident bytes. Pages that processes share are counted for each. */
  readonly resident: number;
}

/** Lists the running processes: from /proc on Linux, with `ps` elsewhere. Zombies are left out. */
export async function listProcesses(): Promise<readonly ProcessRow[]> {
  return process.platform === "linux" ? listFromProc() : listFromPs();
}

function listFromProc(): readonly ProcessRow[] {
  return readdirSync("/proc").flatMap((name) => (/^\d/.test(name) ? (readRow(name) ?? []) : []));
}

/** Linux only. Undefined if the process has ended. */
export function readRow(pid: string): ProcessRow | undefined {
  const stat = readOf(pid, "stat");
  // The program's name is in parentheses and may itself contain parentheses.
  const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (stat === "" || /[ZX]/.test(state)) return undefined;
  const [parent = 0, group = 0, session = 0] = fields.map(Number);
  const [threads, start, pages] = [16, 18, 20].map((index) => Number(fields[index]));
  return {
    pid: Number(pid),
    parent,
    group,
    session,
    threads: threads ?? 1,
    start: start ?? 0,
    resident: (pages ?? 0) * PAGE,
  };
}

/** Counts in pages of 4 KiB. On a system with larger pages the resident size is too small; the exact size is not. */
const PAGE = 4096;

/** Returns the proportional size of a process, which divides shared pages among their users. Linux only. */
export function proportionalSize({ pid, resident }: ProcessRow): number {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readOf(String(pid), "smaps_rollup"))?.[1];
  return kilobytes === undefined ? resident : Number(kilobytes) * 1024;
}

/** Whether a process was started with a text in its environment. Linux only. */
export function hasInEnvironment(pid: number, text: string): boolean {
  return readOf(String(pid), "environ").includes(text);
}

/** Returns the names of a process's standard streams, such as `socket:[123]`. Linux only. */
export function streamsOf(pid: number): readonly string[] {
  return [0, 1, 2].flatMap((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return [];
    }
  });
}

/**
 * Returns how many bytes of files a process keeps that have no name anymore: no walk finds them. Linux only, and only for
 * processes of the same user.
 */
export function unnamedBytes(pid: number): number {
  let bytes = 0;
  try {
    for (const fd of readdirSync(`/proc/${pid}/fd`)) {
      const path = `/proc/${pid}/fd/${fd}`;
      // Memory that programs share looks the same.
      if (!/^\/(?!memfd:|dev\/shm\/|dev\/zero).* \(deleted\)$/.test(linkOf(path))) continue;
      const stats = statSync(path);
      if (stats.isFile() && stats.nlink === 0) bytes += stats.blocks * 512;
    }
  } catch {
    // The process has ended, or belongs to another user.
  }
  return bytes;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function readOf(pid: string, file: "stat" | "environ" | "smaps_rollup"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

function listFromPs(): Promise<readonly ProcessRow[]> {
  return new Promise((resolve) => {
    // Windows has no `ps`, so the list is empty there.
    execFile("ps", ["-A", "-o", "pid=,ppid=,pgid=,rss=,state="], { timeout: 5_000 }, (_error, stdout) => {
      const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/));
      resolve(
        rows.flatMap(([pid, parent, group, kilobytes, state = "Z"]) =>
          state.startsWith("Z")
            ? []
            : {
                pid: Number(pid),
                parent: Number(parent),
                group: Number(group),
                session: Number(group),
                threads: 1,
                start: 0,
                resident: Number(kilobytes) * 1024,
              },
        ),
      );
    });
  });
}
