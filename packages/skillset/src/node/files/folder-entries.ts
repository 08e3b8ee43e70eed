import { type Dirent, readdirSync } from "node:fs";

/** Folders that are never searched for skills. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** Returns the entries of a folder. Empty if it cannot be read. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The standard's folders for a skill's files. A SKILL.md in them is an example or a template. */
const FILE_FOLDERS: ReadonlySet<string> = new Set(["scripts", "references", "assets"]);

/** Returns the entries of a skill's folder that may contain other skills. */
export function withoutFileFolders<Entry extends { readonly name: string }>(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ name }) => !FILE_FOLDERS.has(name));
}
