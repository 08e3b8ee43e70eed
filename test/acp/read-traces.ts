import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The trace of one process, with all its threads. */
export interface TracedProcess {
  readonly pid: number;
  /** The last program that it executed, with its arguments. */
  readonly program: string;
  /** Its system calls, one per line. */
  readonly calls: readonly string[];
}

/** Reads the output of `strace -ff -o`, one file per thread, and groups threads by process. */
export function readTraces(folder: string): readonly TracedProcess[] {
  const threads = new Map(
    readdirSync(folder).map((name) => [
      Number(name.split(".").at(-1)),
      readFileSync(join(folder, name), "utf8").split("\n"),
    ]),
  );
  const parents = new Map<number, number>();
  for (const [id, lines] of threads) {
    for (const line of lines) {
      const [, child] = /^clone3?\(.*CLONE_THREAD.* = (\d+)$/.exec(line) ?? [];
      if (child !== undefined) parents.set(Number(child), id);
    }
  }
  const processOf = (id: number): number => {
    const parent = parents.get(id);
    return parent === undefined ? id : processOf(parent);
  };
  const byProcess = Map.groupBy(threads, ([id]) => processOf(id));
  return [...byProcess].map(([pid, its]) => {
    const calls = its.flatMap(([, lines]) => lines);
    const program = calls.findLast((line) => /^execve\(.* = 0$/.test(line)) ?? "";
    return { pid, program, calls };
  });
}

/** The calls that create, change or remove a file, or try to. Calls on devices do not count. */
export function filesChanged(calls: readonly string[]): readonly string[] {
  return calls.filter((line) => (CHANGES.test(line) || OPENS_TO_WRITE.test(line)) && !ON_DEVICE.test(line));
}

const CHANGES =
  /^(?:creat|mkdir|mkdirat|mknod|mknodat|rename|renameat2?|unlink|unlinkat|rmdir|link|linkat|symlink|symlinkat|truncate|ftruncate|fallocate|f?chmod|fchmodat2?|[fl]?chown|fchownat|utimes?|utimensat|futimesat|[fl]?setxattr|[fl]?removexattr)\(/;
const OPENS_TO_WRITE = /^open(?:at2?)?\(.*\bO_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)\b/;
const ON_DEVICE = /^open(?:at2?)?\([^"]*"\/dev\//;
