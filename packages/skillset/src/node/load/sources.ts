import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { SkillSource } from "../../core/set/source.ts";
import type { Skill, SkillScope } from "../../core/skill/skill.ts";
import type { Skillset } from "../../core/skillset.ts";
import { BUNDLED_SKILLS } from "../../package/bundled-skills.ts";
import { realPath } from "../files/real-path.ts";

/**
 * What `createSkillset` accepts: a path (a skill's folder, its SKILL.md, a folder of skills, or a glob over those), a
 * skill in code, another skillset, a folder with its own settings, or any other place that skills come from.
 */
export type SkillInput = string | URL | Skill | Skillset | FolderSource | SkillSource;

export interface FolderSource {
  readonly path: string;
  readonly scope?: SkillScope;
  /** A missing folder is noted instead of being an error. */
  readonly optional?: boolean;
  /** How many levels of folders to look into; 1 means the folder's own children. */
  readonly depth?: number;
  /** Skills from here stay locked until their content is trusted; so by default in the scope `project`. */
  readonly needsTrust?: boolean;
  /** A folder that must not be left through a link. */
  readonly within?: string;
}

export interface StandardFoldersOptions {
  readonly cwd?: string;
  readonly home?: string;
  /**
   * Also load the skills that come with the library, after all others.
   * @default false
   */
  readonly bundled?: boolean;
}

/** The folders in which agents keep skills, in order of precedence within one place. */
export const SKILL_FOLDERS: readonly string[] = [".agents/skills", ".claude/skills", ".agent/skills"];

/** The folders where agents keep skills, nearest first: in the project up to its git root, then in the home. */
export function standardFolders({
  cwd = process.cwd(),
  home = homedir(),
  bundled = false,
}: StandardFoldersOptions = {}): readonly FolderSource[] {
  const ownHome = realPath(home);
  const inProject = projectFolders(resolve(cwd))
    .filter((folder) => realPath(folder) !== ownHome)
    .flatMap((within) =>
      SKILL_FOLDERS.map((name) => ({ path: join(within, name), scope: "project" as const, optional: true, within })),
    );
  const inHome = SKILL_FOLDERS.map((name) => ({ path: join(home, name), scope: "user" as const, optional: true }));
  return [...inProject, ...inHome, ...(bundled ? [BUNDLED_SOURCE] : [])];
}

/** The skills that come with the library. */
export const BUNDLED_SOURCE: FolderSource = { path: BUNDLED_SKILLS, scope: "bundled", optional: true };

/** The folders that an application looks into when its settings name none. */
export const DEFAULT_FOLDERS: readonly string[] = [
  "./.skills",
  "./.agents/skills",
  "~/.agents/skills",
  "~/.skillset/skills",
];

/** Folders named in an application's settings, earlier ones first; one that is missing is noted, not an error. */
export function optionalFolders(paths: readonly string[] = DEFAULT_FOLDERS): readonly FolderSource[] {
  return paths.map((path) => ({ path, optional: true }));
}

/** An absolute path; `~` is the user's home, and `file:` addresses are paths too. */
export function resolvePath(path: string, cwd: string, home?: string): string {
  if (path.startsWith("file://")) return fileURLToPath(path);
  return isBelowHome(path) ? join(home ?? homedir(), path.slice(1)) : resolve(cwd, path);
}

/** Whether a path starts at the user's home: `~more` is a name like any other. */
export function isBelowHome(path: string): boolean {
  return path === "~" || path.startsWith("~/");
}

/** The working directory and its ancestors up to the one that holds `.git`; only itself outside a repository. */
export function projectFolders(cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (existsSync(join(folder, ".git"))) return folders;
    if (dirname(folder) === folder) return [cwd];
  }
}
