import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { projectFolders } from "../files/project-folders.ts";
import { configFolder } from "../trust/trust.ts";

/**
 * Finds the nearest skillset.json, from the working directory up to the repository's root. Outside a repository, only
 * the working directory counts. Ignores files beside the skills: a skill must not change the rules that validate it.
 */
export function findConfig(cwd: string): string | undefined {
  return projectFolders(resolve(cwd))
    .map((folder) => join(folder, "skillset.json"))
    .find((path) => existsSync(path));
}

/** The path of the user's own skillset.json, which need not exist. */
export function ownConfig(): string {
  return join(configFolder(), "skillset.json");
}

/** Whether a skillset.json applies to a working directory, without reading it. */
export function hasConfig(cwd: string): boolean {
  return existsSync(ownConfig()) || findConfig(cwd) !== undefined;
}
