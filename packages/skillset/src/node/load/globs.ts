import { realpathSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { LIMITS } from "../../core/base/limits.ts";
import { entriesOf, SKIPPED_FOLDERS } from "../files/folder-entries.ts";
import type { IsIgnored } from "../files/ignored-folders.ts";
import { countSkills, drain, type UnreadSkills } from "./unread-skills.ts";

/** Splits a pattern into its base folder and the glob below it. Returns undefined for a plain path. */
export function splitGlob(path: string): { readonly base: string; readonly glob: string } | undefined {
  const at = path.search(/[*?[\]{}]/);
  if (at === -1) return undefined;
  const slash = path.lastIndexOf("/", at);
  return { base: slash === -1 ? "." : path.slice(0, slash) || "/", glob: path.slice(slash + 1) };
}

export interface GlobMatches {
  /** Folders and SKILL.md files, sorted. */
  readonly paths: readonly string[];
  /** Whether the walk stopped at its limit of folders. */
  readonly isCut: boolean;
  /** The skills below the deepest folders that `**` searches. */
  readonly deeper: UnreadSkills;
}

/** Expands a pattern below a folder. The walk is bounded, and `*` does not match names that start with a dot. */
export async function expandGlob(start: string, glob: string, isIgnored: IsIgnored): Promise<GlobMatches> {
  // Loaded on demand, because few callers use patterns.
  const { default: picomatch } = await import("picomatch");
  const matches = picomatch(glob);
  const isDeep = glob.includes("**");
  const depth = isDeep ? LIMITS.hard.scanDepth : glob.split("/").length;
  const found: string[] = [];
  let opened = 0;
  let level = [start];
  for (let step = 0; step < depth && level.length > 0; step++) {
    const next: string[] = [];
    for (const folder of level) {
      const entries = entriesOf(folder);
      // Folders with a skill do not count towards the limit.
      if (!entries.some(({ name }) => name === "SKILL.md") && ++opened > LIMITS.hard.scannedFolders) {
        return { paths: found.sort(), isCut: true, deeper: NONE };
      }
      for (const entry of entries) {
        if (SKIPPED_FOLDERS.has(entry.name)) continue;
        const path = join(folder, entry.name);
        const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && leadsToFolder(path));
        if (isFolder && isIgnored(path)) continue;
        const isMatch = (isFolder || entry.name === "SKILL.md") && matches(relative(start, path));
        if (isMatch) found.push(path);
        if (isFolder && (!isMatch || isDeep)) next.push(path);
      }
    }
    level = next;
  }
  // A link may lead back into a searched folder.
  const ends = level.filter((folder) => realpathSync(folder) === folder);
  const deeper = isDeep ? drain(countSkills(ends, isIgnored)) : NONE;
  return { paths: found.sort(), isCut: false, deeper };
}

const NONE: UnreadSkills = { count: 0, isCut: false, folders: [] };

function leadsToFolder(link: string): boolean {
  try {
    return statSync(link).isDirectory();
  } catch {
    return false;
  }
}
