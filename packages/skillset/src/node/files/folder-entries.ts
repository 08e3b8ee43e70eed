import { type Dirent, readdirSync } from "node:fs";

/** Folders that hold no skills, whatever is in them. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** What is in a folder; nothing when it cannot be read. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The folders that the standard gives a skill for its files: a SKILL.md in them is an example or a template. */
const FILE_FOLDERS: ReadonlySet<string> = new Set(["scripts", "references", "assets"]);

/** The entries of a skill's folder that may hold other skills. */
export function withoutFileFolders<Entry extends { readonly name: string }>(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ name }) => !FILE_FOLDERS.has(name));
}
