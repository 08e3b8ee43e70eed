import type { ScriptStopped } from "../../core/script/script.ts";
import { folderSize } from "./folder-size.ts";
import type { ProcessRow } from "./process-table.ts";
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
    mostFiles,
    endsTogether = false,
  }: Pick<ProcessJob, "limits" | "outputFolder" | "mostFiles" | "endsTogether">,
  stop: (why: ScriptStopped["outcome"]) => void,
): { close(): Promise<readonly ProcessRow[]> } {
  const checkProcesses = async (): Promise<readonly ProcessRow[]> => {
    const members = await tree.sample();
    if (members.reduce((sum, { threads }) => sum + threads, 0) > limits.processes) stop("process-limit");
    else if (memoryOf(members, limits.memory) > limits.memory) stop("memory-limit");
    return members;
  };
  const checkFolder = async (): Promise<void> => {
    if (outputFolder === undefined) return;
    if ((await folderSize(outputFolder, limits.files, mostFiles)) > limits.files) stop("output-limit");
  };
  const loops = [repeat(SAMPLE_TIME, checkProcesses), repeat(FOLDER_TIME, checkFolder)];
  return {
    close: async () => {
      for (const end of loops) end();
      // A short program was not measured yet.
      await checkFolder();
      // Listing the processes of a machine takes milliseconds.
      return endsTogether ? [] : checkProcesses();
    },
  };
}

/** Calls a function again and again, with pauses. Returns a function that ends it. */
function repeat(time: number, work: () => Promise<unknown>): () => void {
  let timer: NodeJS.Timeout;
  let isEnded = false;
  const turn = async (): Promise<void> => {
    const start = performance.now();
    await work();
    if (!isEnded) timer = setTimeout(turn, Math.max(time, (performance.now() - start) * SHARE));
  };
  timer = setTimeout(turn, time);
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
