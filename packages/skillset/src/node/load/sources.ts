import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { BUNDLED_SKILLS } from "../../bundled-skills/bundled-skills.ts";
import { SkillError } from "../../core/base/errors.ts";
import { type FolderSource, refuseAddress } from "../../core/load/skill-input.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { describeValue } from "../../core/text/describe-value.ts";
import { projectFolders } from "../files/project-folders.ts";
import { realPath } from "../files/real-path.ts";

export type { FolderSource, SkillInput } from "../../core/load/skill-input.ts";

export interface StandardFoldersOptions {
  /**
   * The folder of the project, or a folder in it.
   * @default process.cwd()
   */
  readonly cwd?: string;
  /**
   * The user's home.
   * @default os.homedir()
   */
  readonly home?: string;
  /**
   * Also load the skills that come with the library, after all others.
   * @default false
   */
  readonly bundled?: boolean;
}

/** The folders of a project in which skills are found, in order of precedence. Everything else reads this list. */
export const PROJECT_FOLDERS: readonly string[] = [
  ".agents/skills",
  ".claude/skills",
  ".agent/skills",
  "skills",
  ".skills",
];

/** The same in the user's home. A folder `skills` there can be anything. */
const HOME_FOLDERS: readonly string[] = [".agents/skills", ".claude/skills", ".agent/skills", ".skillset/skills"];

/** Says where the standard folders are, for help and errors. */
export const STANDARD_PLACES =
  `${listed(PROJECT_FOLDERS)} in this folder and its parents up to the git root, ` +
  `and ${listed(HOME_FOLDERS)} in your home`;

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/**
 * Returns the folders in which skills are found: in the project, nearest first up to its git root, then in the home.
 * Skills in the project are locked until they are trusted.
 * @example
 * ```ts
 * import { createSkillset, standardFolders } from "skillset";
 *
 * const skillset = await createSkillset(standardFolders({ bundled: true }));
 * console.log(skillset.names);
 * ```
 */
export function standardFolders(options: StandardFoldersOptions = {}): readonly FolderSource[] {
  checkOptions("standardFolders()", options, OPTIONS);
  const { cwd = process.cwd(), home = homedir(), bundled = false } = options;
  const ownHome = realPath(home);
  const inProject = projectFolders(resolve(cwd))
    .filter((folder) => realPath(folder) !== ownHome)
    .flatMap((within) =>
      PROJECT_FOLDERS.map((name) => ({ path: join(within, name), scope: "project" as const, optional: true, within })),
    );
  const inHome = HOME_FOLDERS.map((name) => ({ path: join(home, name), scope: "user" as const, optional: true }));
  return [...inProject, ...inHome, ...(bundled ? [BUNDLED_SOURCE] : [])];
}

const OPTIONS: OptionTable<StandardFoldersOptions> = { cwd: true, home: true, bundled: true };

/** The skills that come with the library. */
export const BUNDLED_SOURCE: FolderSource = { path: BUNDLED_SKILLS, scope: "bundled", optional: true };

/**
 * Returns the folders from an application's settings, in order. A missing one is a problem, not an error. Without such
 * settings, use `standardFolders()`, which locks the skills of the project.
 * @example
 * ```ts
 * import { createSkillset } from "skillset";
 * import { optionalFolders } from "skillset/node";
 *
 * const skillset = await createSkillset(optionalFolders(["./skills", "~/.agents/skills"]));
 * console.log(skillset.names);
 * ```
 */
export function optionalFolders(paths: readonly string[]): readonly FolderSource[] {
  if (!Array.isArray(paths))
    throw new SkillError("option-invalid", `optionalFolders() takes a list of paths, not ${describeValue(paths)}.`);
  return paths.map((path) => ({ path, optional: true }));
}

/** Resolves a path, with `~` for the user's home, or a `file:` URL. Throws for other URLs. */
export function resolvePath(path: string, cwd: string, home?: string): string {
  refuseAddress(path);
  if (path.startsWith("file://")) return fileURLToPath(path);
  return isBelowHome(path) ? join(home ?? homedir(), path.slice(1)) : resolve(cwd, path);
}

/** Whether a path starts at the user's home. `~more` is an ordinary name. */
export function isBelowHome(path: string): boolean {
  return path === "~" || path.startsWith("~/");
}
