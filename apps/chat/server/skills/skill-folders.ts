import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { standardFolders } from "skillset";
import type { FolderSource } from "skillset/node";
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
 * The folders in order of precedence. What the settings name is trusted. Without names, and with `parentFolders` before
 * them, come the folders in which agents keep skills: those of the project are locked until somebody trusts them.
 */
export function skillFolders({ config, projectRoot, startFolder }: SkillFoldersOptions): readonly SkillFolder[] {
  const { directories, parentFolders } = config;
  const resolved = (path: string): string => {
    const isInHome = path === "~" || path.startsWith("~/");
    return isInHome ? join(homedir(), path.slice(1)) : resolve(projectRoot, path);
  };
  const standard = standardFolders({ cwd: startFolder });
  const usual = new Set(standard.map(({ path }) => path));
  const named = directories.map((directory): SkillFolder => {
    const path = resolved(directory);
    return { path, source: { path: directory, optional: true }, isAbove: false, isUsual: usual.has(path) };
  });
  const known = new Set(named.map(({ path }) => realPath(path)));
  // Many projects have a link from one of these folders to another.
  const isNew = ({ path }: FolderSource): boolean => known.size < known.add(realPath(path)).size;
  const toFolder = (source: FolderSource, isAbove: boolean): SkillFolder => {
    return { path: source.path, source, isAbove, isUsual: true };
  };
  const isDefault = directories.length === 0;
  const ofProject = standard.filter(({ scope }) => scope === "project");
  const inProject = isDefault || parentFolders ? ofProject.filter(isNew) : [];
  const ofUser = standard.filter(({ scope }) => scope === "user");
  return [
    ...inProject.map((source) => toFolder(source, true)),
    ...named,
    ...(isDefault ? ofUser.filter(isNew).map((source) => toFolder(source, false)) : []),
  ];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
