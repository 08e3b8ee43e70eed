import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { standardFolders } from "skillset";
import { DEFAULT_FOLDERS, type FolderSource } from "skillset/node";
import type { SkillsConfig } from "../config/config.ts";

export interface SkillFoldersOptions {
  readonly config: Pick<SkillsConfig, "directories" | "parentFolders">;
  /** The base of relative paths. */
  readonly projectRoot: string;
  /** The folder in which the chat was started. */
  readonly startFolder: string;
}

/** A folder that is scanned. */
export interface SkillFolder {
  /** Absolute path. */
  readonly path: string;
  readonly source: FolderSource;
  /** It is the folder of the start or above it, and the settings do not name it. */
  readonly isAbove: boolean;
  /** It is often missing, which is not worth a warning. */
  readonly isUsual: boolean;
}

/** The folders in order of precedence: those at and above the start, nearest first, then those in the settings. */
export function skillFolders({ config, projectRoot, startFolder }: SkillFoldersOptions): readonly SkillFolder[] {
  const resolved = (path: string): string => {
    const isInHome = path === "~" || path.startsWith("~/");
    return isInHome ? join(homedir(), path.slice(1)) : resolve(projectRoot, path);
  };
  const usual = new Set(DEFAULT_FOLDERS.map(resolved));
  const named = config.directories.map((directory): SkillFolder => {
    const path = resolved(directory);
    return { path, source: { path: directory, optional: true }, isAbove: false, isUsual: usual.has(path) };
  });
  // A folder that the settings name is trusted. The others are locked until somebody trusts them.
  const known = new Set(named.map(({ path }) => path));
  const above = config.parentFolders ? standardFolders({ cwd: startFolder }) : [];
  return [
    ...above
      .filter(({ scope, path }) => scope === "project" && path.endsWith(FOLDER) && !known.has(path))
      .map((source): SkillFolder => ({ path: source.path, source, isAbove: true, isUsual: true })),
    ...named,
  ];
}

const FOLDER = join("/", ".agents", "skills");
