import { chmodSync, lstatSync, type Stats } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { LIMITS } from "../../core/base/limits.ts";
import type { ScriptResult } from "../../core/script/script.ts";
import { removeLargeTree } from "../../node/copy/remove-tree.ts";
import { reasonToDrop } from "./reason-to-drop.ts";
import { createBreaks } from "./take-breaks.ts";

export { reasonToDrop };

/** What a folder contains after it was cleaned. */
export interface CleanFolder {
  /** The size of each file, by path. */
  readonly sizes: ReadonlyMap<string, number>;
  /** A text for each file that changes when it is written. */
  readonly stamps: ReadonlyMap<string, string>;
  /** When each file was last changed in any way, in nanoseconds. A script cannot set this time. */
  readonly changes: ReadonlyMap<string, bigint>;
  /** The folders in it. Each comes before those in it. */
  readonly folders: readonly string[];
  readonly droppedFiles: ScriptResult["droppedFiles"];
}

/**
 * Removes from a folder what is not a plain file with a plain name, and what exceeds the limits. Makes the rest readable
 * and writable for this user only. No process may use the folder meanwhile. Other work continues: a script can leave
 * thousands of files behind.
 */
export async function cleanFolder(root: string, maxBytes: number): Promise<CleanFolder> {
  const sizes = new Map<string, number>();
  const stamps = new Map<string, string>();
  const changes = new Map<string, bigint>();
  const folders: string[] = [];
  const takeBreak = createBreaks();
  const droppedFiles: { path: string; reason: string }[] = [];
  const drop = (path: string, reason: string): void => {
    // A script can create thousands.
    if (droppedFiles.length < LIMITS.shown.names) droppedFiles.push({ path: shownName(path), reason });
  };
  let bytes = 0;
  let count = 0;
  const visit = async (directory: string): Promise<void> => {
    for (const name of await namesIn(join(root, directory), drop)) {
      await takeBreak();
      const path = directory === "" ? name : `${directory}/${name}`;
      const full = join(root, path);
      const stats = lstatSync(full);
      const kind = stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other";
      const size = kind === "file" ? stats.size : 0;
      const exceeds = bytes + size > maxBytes || count >= LIMITS.hard.filesInSkill;
      const reason = reasonToDrop({ path, kind }) ?? (exceeds ? "it exceeds the limit for files" : undefined);
      if (reason !== undefined) {
        await removeLargeTree(full);
        drop(path, reason);
        continue;
      }
      count++;
      bytes += size;
      setMode(full, stats, kind === "directory" ? 0o700 : 0o600);
      if (kind === "directory") {
        folders.push(path);
        await visit(path);
      } else {
        sizes.set(path, size);
        // Without the time of the last change of the inode: a runner may change the owner.
        changes.set(path, lstatSync(full, { bigint: true }).ctimeNs);
        stamps.set(path, `${stats.ino}:${size}:${stats.mtimeMs}`);
      }
    }
  };
  // A script can take away its own folder's permissions.
  setMode(root, lstatSync(root), 0o700);
  await visit("");
  return { sizes, stamps, changes, folders, droppedFiles };
}

function setMode(path: string, { mode }: Stats, wanted: number): void {
  if ((mode & 0o7777) !== wanted) chmodSync(path, wanted);
}

/** The names in a folder, sorted. Removes what has a name that is not UTF-8, because no path leads to it. */
async function namesIn(folder: string, drop: (name: string, reason: string) => void): Promise<readonly string[]> {
  const names: string[] = [];
  for (const bytes of await readdir(folder, { encoding: "buffer" })) {
    const name = bytes.toString();
    if (Buffer.from(name).equals(bytes)) names.push(name);
    else {
      await rm(Buffer.concat([Buffer.from(`${folder}/`), bytes]), { recursive: true, force: true });
      drop(name, "its name is not UTF-8");
    }
  }
  return names.sort();
}

export function shownName(path: string): string {
  return JSON.stringify(path.slice(0, LIMITS.shown.pathCharacters)).slice(1, -1);
}
