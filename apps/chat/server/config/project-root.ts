import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The root of the repository or workspace that contains the settings file, or else the file's own folder. */
export function projectRootOf(file: string): string {
  const own = dirname(resolve(file));
  for (let folder = own; ; folder = dirname(folder)) {
    if (existsSync(resolve(folder, ".git")) || hasWorkspaces(resolve(folder, "package.json"))) return folder;
    if (dirname(folder) === folder) return own;
  }
}

function hasWorkspaces(path: string): boolean {
  try {
    return "workspaces" in JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return false;
  }
}
