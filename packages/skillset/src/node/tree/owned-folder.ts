import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { hasEnded, ownProcess } from "../files/process-owner.ts";
import { removeTree } from "./remove-tree.ts";

/** What tells a folder of ours from one that somebody else has given such a name. */
const MARKER = ".skillset-owner";

/** Makes a private folder that says whose it is, so that it can be removed when its process did not come to that. */
export function makeOwnedFolder(parent: string, prefix: string): string {
  const owner = ownProcess();
  // The name alone says it too: the process may end before the marker is written.
  const path = join(parent, `${prefix}${owner}-${randomBytes(6).toString("hex")}`);
  mkdirSync(path, { mode: 0o700 });
  try {
    writeFileSync(join(path, MARKER), owner, { flag: "wx", mode: 0o400 });
  } catch (error) {
    removeOwnedFolder(path);
    throw error;
  }
  return path;
}

/** Makes a private folder where the system keeps temporary ones. It is removed when this process exits at the latest. */
export function makeTemporaryFolder(prefix: string): string {
  const parent = tmpdir();
  try {
    const path = makeOwnedFolder(realpathSync(parent), prefix);
    removeAtExit(path);
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = `No temporary folder can be made in '${parent}' (${code}). Make it writable, or set TMPDIR to another folder.`;
    throw new SkillError("option-invalid", message, { cause: error });
  }
}

const TEMPORARY = new Set<string>();
let isHooked = false;

function removeAtExit(path: string): void {
  TEMPORARY.add(path);
  if (isHooked) return;
  isHooked = true;
  process.once("exit", () => {
    for (const one of TEMPORARY) {
      try {
        removeOwnedFolder(one);
      } catch {
        // The next one that is made sweeps it.
      }
    }
  });
}

/** The marker goes last: a folder that is half removed can still be told. */
export function removeOwnedFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    for (const name of readdirSync(path)) if (name !== MARKER) removeTree(join(path, name));
    removeTree(join(path, MARKER));
    rmdirSync(path);
  }
  // A program that still runs may have made it again: then it is removed once more at the end.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) TEMPORARY.delete(path);
}

/** Removes what processes that have ended left in a folder; gives what it removed. Never fails: it is others' waste. */
export function sweepOwnedFolders(parent: string, prefix: string): readonly string[] {
  return namesIn(parent)
    .filter((name) => name.startsWith(prefix) && isLeftover(join(parent, name), name.slice(prefix.length)))
    .map((name) => join(parent, name))
    .filter(sweep);
}

function isLeftover(path: string, rest: string): boolean {
  const owner = /^(\d+\.\d+\.\d+)-[0-9a-f]{12}$/.exec(rest)?.[1];
  if (owner === undefined) return false;
  try {
    const stats = lstatSync(path);
    return stats.isDirectory() && stats.uid === process.getuid?.() && hasEnded(owner);
  } catch {
    return false;
  }
}

function sweep(path: string): boolean {
  try {
    // Without its marker only an empty one is ours beyond doubt.
    if (isMarked(path)) removeOwnedFolder(path);
    else rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function isMarked(path: string): boolean {
  const marker = join(path, MARKER);
  const stats = lstatSync(marker, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || stats.size > 100) return false;
  const owner = readFileSync(marker, "utf8");
  // Its process may have ended between making the marker and writing into it.
  return owner === "" || path.includes(owner);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
