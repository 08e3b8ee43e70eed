import { lstatSync } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { createBreaks } from "./take-breaks.ts";

/**
 * Returns how many bytes a folder uses, or a larger number than the limit as soon as that is exceeded. A folder that
 * cannot be read counts as too large: what it contains cannot be limited.
 */
export async function folderSize(root: string, limit: number, mostEntries = MOST_ENTRIES): Promise<number> {
  const folders = [root];
  const takeBreak = createBreaks();
  let bytes = 0;
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined && bytes <= limit; folder = folders.pop()) {
    try {
      for await (const entry of await opendir(folder, { bufferSize: 512 })) {
        await takeBreak();
        const path = join(folder, entry.name);
        if (entry.isDirectory()) folders.push(path);
        if (entry.isFile()) bytes += sizeOf(path);
        if (++entries > mostEntries) return limit + 1;
        if (bytes > limit) break;
      }
    } catch (error) {
      // Files come and go while a script runs.
      if ((error as NodeJS.ErrnoException).code === "EACCES") return limit + 1;
    }
  }
  return bytes;
}

/** Empty files use no bytes, but a disk has room for a certain number only. */
export const MOST_ENTRIES = 10_000;

/** File systems reserve some space for a file that grows. A script could reserve more without changing its size. */
const RESERVED = 1024 * 1024;

function sizeOf(path: string): number {
  try {
    const { size, blocks } = lstatSync(path);
    return Math.max(size, blocks * 512 - RESERVED);
  } catch {
    return 0;
  }
}
