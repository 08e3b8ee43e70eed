import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { hasEnded, ownProcess } from "../files/process-owner.ts";
import { removeTree } from "./remove-tree.ts";

/** Marks a folder as ours, in case another program uses the same name. */
const MARKER = ".skillset-owner";

/** Creates a private folder that records its owner, so that it can be removed if its process does not remove it. */
export function makeOwnedFolder(parent: string, prefix: string): string {
  const owner = ownProcess();
  // The name also contains the owner, because the process may end before it writes the marker.
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

/**
 * Creates a private temporary folder, which is removed at the latest when this process exits. The first one with a prefix
 * removes those of killed processes: they may contain secrets.
 */
export function makeTemporaryFolder(prefix: string, within = tmpdir()): string {
  return inTemporaryFolder((parent) => {
    if (!SWEPT.has(join(parent, prefix))) sweepOwnedFolders(parent, prefix);
    SWEPT.add(join(parent, prefix));
    const path = makeOwnedFolder(parent, prefix);
    removeAtExit(path);
    return path;
  }, within);
}

/** Creates something in the system's temporary folder. If that fails, the error names the folder, and what to do. */
export function inTemporaryFolder<Made>(make: (parent: string) => Made, parent = tmpdir()): Made {
  try {
    return make(realpathSync(parent));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const fix = code === "ENOSPC" ? "Free some space" : "Make it writable";
    const message = `Cannot create a temporary folder in '${parent}' (${code}). ${fix}, or set TMPDIR to another folder.`;
    throw new SkillError("option-invalid", message, { cause: error });
  }
}

/** Why no temporary folder can be created, and what to do. Undefined if one can. */
export function whyNoTemporaryFolder(): string | undefined {
  try {
    removeOwnedFolder(makeTemporaryFolder("skillset-check-"));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const SWEPT = new Set<string>();
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
        // The next temporary folder's creation removes it.
      }
    }
  });
}

/** Removes the marker last, so that a partly removed folder is still recognized. */
export function removeOwnedFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    for (const name of readdirSync(path)) if (name !== MARKER) removeTree(join(path, name));
    removeTree(join(path, MARKER));
    rmdirSync(path);
  }
  // A running program may have created it again. It is then removed again on exit.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) TEMPORARY.delete(path);
}

/** Removes the leftover folders of ended processes. Returns their paths. Never throws. */
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
    // Without a marker, only an empty folder is certainly ours.
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
  // The process may have ended between creating the marker and writing to it.
  return owner === "" || path.includes(owner);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
