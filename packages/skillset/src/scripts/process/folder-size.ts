import { type Dirent, lstatSync } from "node:fs";
import { opendir } from "node:fs/promises";
import { createBreaks } from "./take-breaks.ts";

/**
 * Returns how many bytes a folder uses, or a larger number than the limit as soon as that is exceeded. A folder that
 * cannot be read counts as too large: what it contains cannot be limited.
 */
export async function folderSize(root: string, limit: number, mostEntries = MOST_ENTRIES): Promise<number> {
  // Names that are not UTF-8 are names too.
  const folders = [Buffer.from(root)];
  const takeBreak = createBreaks();
  let bytes = 0;
  let count = 0;
  for (let folder = folders.pop(); folder !== undefined && bytes <= limit; folder = folders.pop()) {
    try {
      // The types lack entries whose names are bytes.
      const options = { bufferSize: 512, encoding: "buffer" as BufferEncoding };
      const entries = (await opendir(folder, options)) as unknown as AsyncIterable<Dirent<Buffer>>;
      for await (const entry of entries) {
        await takeBreak();
        const path = Buffer.concat([folder, SLASH, entry.name]);
        if (entry.isDirectory()) folders.push(path);
        if (entry.isFile()) bytes += sizeOf(path);
        if (++count > mostEntries) return limit + 1;
        if (bytes > limit) break;
      }
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (UNREADABLE.has(code)) return limit + 1;
    }
  }
  return bytes;
}

/** Other errors are harmless: files come and go while a script runs. */
const UNREADABLE: ReadonlySet<string> = new Set(["EACCES", "ENAMETOOLONG", "ELOOP"]);

const SLASH = Buffer.from("/");

/** Empty files use no bytes, but a disk has room for a certain number only. */
export const MOST_ENTRIES = 10_000;

/** File systems reserve some space for a file that grows. A script could reserve more without changing its size. */
const RESERVED = 1024 * 1024;

function sizeOf(path: Buffer): number {
  try {
    const { size, blocks } = lstatSync(path);
    return Math.max(size, blocks * 512 - RESERVED);
  } catch {
    return 0;
  }
}
