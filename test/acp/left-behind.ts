import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Whether this system shows what a process has opened and started. */
export const TELLS_PROCESSES = process.platform === "linux";

/** The number of files and sockets that this process has open, and how many of them are listening ports. */
export function openNow(): { readonly descriptors: number; readonly ports: number } {
  const targets = readdirSync("/proc/self/fd").map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      // The descriptor that lists the folder is closed by now.
      return undefined;
    }
  });
  const open = targets.filter((target) => target !== undefined);
  const listening = new Set(["tcp", "tcp6"].flatMap(listeningSockets));
  return { descriptors: open.length, ports: open.filter((target) => listening.has(target)).length };
}

/** The descendants of this process, even if a process between them has ended. */
export class Offspring {
  readonly #pids = new Set<number>();
  readonly #groups = new Set<number>();

  /** Records the current processes. */
  note(): void {
    const table = processTable();
    const own = table.find(({ pid }) => pid === process.pid)?.group;
    const known = new Set([process.pid]);
    // Parents may be listed after their children.
    for (let size = 0; size !== known.size; ) {
      size = known.size;
      for (const { pid, parent } of table) if (known.has(parent)) known.add(pid);
    }
    for (const { pid, group } of table) {
      if (pid === process.pid || !known.has(pid)) continue;
      this.#pids.add(pid);
      if (group !== own) this.#groups.add(group);
    }
  }

  /** The running ones, with their names. */
  get living(): readonly string[] {
    this.note();
    return processTable()
      .filter(({ pid, group, state }) => state !== "Z" && (this.#pids.has(pid) || this.#groups.has(group)))
      .map(({ pid, name }) => `${pid} ${name}`);
  }
}

/** In /proc/net, a listening socket has the state 0A, and its inode is in the tenth column. */
function listeningSockets(protocol: string): readonly string[] {
  return readFileSync(`/proc/self/net/${protocol}`, "utf8")
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => state === "0A")
    .map((columns) => `socket:[${columns[9]}]`);
}

function processTable() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const [, name = "", rest = ""] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
        const [state = "", parent, group] = rest.split(" ");
        return [{ pid: Number(pid), name, state, parent: Number(parent), group: Number(group) }];
      } catch {
        // The process has ended in the meantime.
        return [];
      }
    });
}
