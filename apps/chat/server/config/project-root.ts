import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The project that a settings file belongs to: where its repository or workspace starts, or else its own folder. */
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
