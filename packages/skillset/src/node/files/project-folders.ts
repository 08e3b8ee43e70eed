import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Returns the working directory and its ancestors up to the one with `.git`. Outside a repository, only itself. */
export function projectFolders(cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (existsSync(join(folder, ".git"))) return folders;
    if (dirname(folder) === folder) return [cwd];
  }
}
