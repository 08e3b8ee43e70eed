import { setTimeout as pause } from "node:timers/promises";
import {
  hasInEnvironment,
  listProcesses,
  type ProcessRow,
  proportionalSize,
  readRow,
  streamsOf,
} from "./process-table.ts";

/**
 * A program and everything that it started. Members are found by their parent, process group and session, by a text in
 * their environment, and by the pipes to this program. So a process that detached itself is found too, unless it replaced
 * its environment and closed the pipes between two samples.
 */
export class ProcessTree {
  readonly #root: number;
  readonly #marker: string | undefined;
  /** Older processes cannot be members, even if a pid is used again. */
  readonly #start: number;
  readonly #pipes: ReadonlySet<string>;
  /** Members of the last sample, by pid. A pid is used again only after its process has ended. */
  #known = new Map<number, ProcessRow>();

  constructor(root: number, marker: string | undefined) {
    this.#root = root;
    this.#marker = marker;
    this.#start = readRow(String(root))?.start ?? 0;
    this.#pipes = new Set(streamsOf(root).filter((name) => !name.startsWith("/dev/")));
  }

  /** Finds the running members. */
  async sample(): Promise<readonly ProcessRow[]> {
    const rows = await listProcesses();
    const own = [...this.#known.values()];
    const groups = new Set([this.#root, ...own.map(({ group }) => group)]);
    const sessions = new Set([this.#root, ...own.map(({ session }) => session)]);
    const members = new Map<number, ProcessRow>();
    // Parents have no fixed order in the list, so it is searched until nothing is added.
    for (let before = -1; before !== members.size; ) {
      before = members.size;
      for (const row of rows) {
        if (members.has(row.pid) || row.start < this.#start || row.pid === process.pid) continue;
        const isMember =
          this.#known.get(row.pid)?.start === row.start ||
          members.has(row.parent) ||
          groups.has(row.group) ||
          sessions.has(row.session) ||
          row.pid === this.#root ||
          (before === 0 && this.#isMarked(row.pid));
        if (!isMember) continue;
        members.set(row.pid, row);
        groups.add(row.group);
        sessions.add(row.session);
      }
    }
    this.#known = members;
    return [...members.values()];
  }

  /** Kills the members until none is left. */
  async end(found?: readonly ProcessRow[]): Promise<void> {
    let members = found ?? (await this.sample());
    for (let wait = 1; wait < LONGEST_WAIT && members.length > 0; wait = Math.ceil(wait * 1.5)) {
      for (const { pid } of members) kill(pid);
      await pause(wait);
      members = await this.sample();
    }
  }

  #isMarked(pid: number): boolean {
    if (this.#marker !== undefined && hasInEnvironment(pid, this.#marker)) return true;
    return this.#pipes.size > 0 && streamsOf(pid).some((name) => this.#pipes.has(name));
  }
}

/** The waits add up to about three times as much. A process that survives that long hangs in the kernel. */
const LONGEST_WAIT = 1_000;

/** Returns the memory that processes use together. Shared pages count once if the sum of all exceeds the limit. */
export function memoryOf(members: readonly ProcessRow[], limit: number): number {
  const sum = (sizeOf: (row: ProcessRow) => number): number => members.reduce((all, row) => all + sizeOf(row), 0);
  const resident = sum(({ resident }) => resident);
  return resident <= limit || process.platform !== "linux" ? resident : sum(proportionalSize);
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
