import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { removeTree } from "../../node/copy/remove-tree.ts";

/** How many files and folders the packages of a skill may have. */
export const MOST_ENTRIES = 200_000;
const DEEPEST = 64;

/**
 * Makes a folder of installed packages read-only, and removes what is not a plain file or folder. Returns its size in
 * bytes. Throws if it has too many files. No process may use the folder meanwhile.
 */
export function sealFolder(root: string): number {
  let entries = 0;
  const seal = (folder: string, depth: number): number => {
    if (depth > DEEPEST) throw new Error("the folders of the packages are too deep");
    chmodSync(folder, 0o755);
    let bytes = 0;
    for (const name of readdirSync(folder)) {
      if (++entries > MOST_ENTRIES) throw new Error(`the packages have more than ${MOST_ENTRIES} files`);
      const path = join(folder, name);
      const stats = lstatSync(path);
      if (stats.isDirectory()) bytes += seal(path, depth + 1);
      else if (!stats.isFile() || stats.nlink > 1) removeTree(path);
      else {
        bytes += stats.size;
        // Without setuid, setgid and sticky bits.
        chmodSync(path, (stats.mode & 0o100) === 0 ? 0o444 : 0o555);
      }
    }
    chmodSync(folder, 0o555);
    return bytes;
  };
  return seal(root, 0);
}
