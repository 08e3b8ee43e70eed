import { statfsSync } from "node:fs";
import type { ScriptStopped } from "../../core/script/script.ts";
import { folderSize } from "./folder-size.ts";
import { type ProcessRow, unnamedBytes } from "./process-table.ts";
import { memoryOf, type ProcessTree } from "./process-tree.ts";
import type { ProcessJob } from "./run-process.ts";

/** The time between two samples of the processes, in milliseconds. */
const SAMPLE_TIME = 50;
/** Walking a folder costs more. */
const FOLDER_TIME = 500;
/** At most one part in ten of the time is spent on sampling. */
const SHARE = 10;

/** Measures a program while it runs, and calls `stop` when it exceeds a limit. Closing returns what is left. */
export function watchUse(
  tree: ProcessTree,
  {
    limits,
    outputFolder,
    isFull,
    mostFiles,
    endsTogether = false,
  }: Pick<ProcessJob, "limits" | "outputFolder" | "isFull" | "mostFiles" | "endsTogether">,
  stop: (why: ScriptStopped["outcome"]) => void,
): { close(): Promise<readonly ProcessRow[]> } {
  const folderNow = (): string | undefined => (typeof outputFolder === "function" ? outputFolder() : outputFolder);
  let unnamed = 0;
  const checkFolder = async (): Promise<void> => {
    const folder = folderNow();
    if (folder === undefined) return;
    if ((await folderSize(folder, limits.files - unnamed, mostFiles)) > limits.files - unnamed) stop("output-limit");
  };
  const folders = repeat(FOLDER_TIME, checkFolder);
  const space = new FreeSpace();
  const checkProcesses = async (): Promise<readonly ProcessRow[]> => {
    if (isFull?.()) stop("output-limit");
    const members = await tree.sample();
    if (members.reduce((sum, { threads }) => sum + threads, 0) > limits.processes) stop("process-limit");
    else if (memoryOf(members, limits.memory) > limits.memory) stop("memory-limit");
    const folder = folderNow();
    if (isFull !== undefined || folder === undefined) return members;
    unnamed = members.reduce((sum, { pid }) => sum + unnamedBytes(pid), 0);
    if (unnamed > limits.files) stop("output-limit");
    // Others may use the disk too, so this alone is no reason to stop.
    else if (space.hasShrunk(folder, limits.files / 4)) folders.hurry();
    return members;
  };
  const processes = repeat(SAMPLE_TIME, checkProcesses);
  return {
    close: async () => {
      processes.end();
      folders.end();
      unnamed = 0;
      // A short program was not measured yet.
      await checkFolder();
      // Listing the processes of a machine takes milliseconds.
      return endsTogether ? [] : checkProcesses();
    },
  };
}

/** Notices that a disk fills while a slow walk, or the pause after it, would notice too late. */
class FreeSpace {
  #last: number | undefined;

  /** Whether so many bytes were taken since the last time that this was so. */
  hasShrunk(folder: string, bytes: number): boolean {
    try {
      const { bfree, bsize } = statfsSync(folder);
      const free = bfree * bsize;
      this.#last = Math.max(this.#last ?? free, free);
      if (this.#last - free < bytes) return false;
      this.#last = free;
      return true;
    } catch {
      return false;
    }
  }
}

/** Calls a function again and again, with pauses. `hurry()` ends the pause. */
function repeat(time: number, work: () => Promise<unknown>): { end(): void; hurry(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const turn = async (): Promise<void> => {
    timer = undefined;
    const start = performance.now();
    await work();
    if (!isEnded) timer = setTimeout(turn, Math.max(time, (performance.now() - start) * SHARE));
  };
  timer = setTimeout(turn, time);
  return {
    end: () => {
      isEnded = true;
      clearTimeout(timer);
    },
    hurry: () => {
      if (timer === undefined || isEnded) return;
      clearTimeout(timer);
      void turn();
    },
  };
}
