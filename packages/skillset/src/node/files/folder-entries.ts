import { type Dirent, readdirSync } from "node:fs";
import { FILE_FOLDERS } from "../../core/skill/file-folders.ts";

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

/**
 * Returns the entries of a skill's folder that may contain other skills. A SKILL.md among the skill's files is an example
 * or a template.
 */
export function withoutFileFolders<Entry extends { readonly name: string }>(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ name }) => !FILE_FOLDERS.some((folder) => folder === name));
}
