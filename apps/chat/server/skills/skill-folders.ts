import { realpathSync } from "node:fs";
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

/**
 * The folders in order of precedence: `.agents/skills` at and above the start, nearest first, then those in the settings,
 * then `.claude/skills` at and above the start.
 */
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
  const above = config.parentFolders ? standardFolders({ cwd: startFolder }) : [];
  const known = new Set(named.map(({ path }) => realPath(path)));
  const aboveIn = (agent: string): SkillFolder[] =>
    above
      .filter(({ scope, path }) => scope === "project" && path.endsWith(join("/", agent, "skills")))
      // Many projects have a link from one of these folders to another.
      .filter(({ path }) => known.size < known.add(realPath(path)).size)
      .map((source) => ({ path: source.path, source, isAbove: true, isUsual: true }));
  return [...aboveIn(".agents"), ...named, ...aboveIn(".claude")];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
