import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { PromptValidationError, SkillError } from "../../core/base/errors.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import type { CopyBudget } from "../../node/copy/copy-budget.ts";
import { copyOneFile, copyTree } from "../../node/copy/copy-tree.ts";
import { isWithin } from "../../node/files/contained-read.ts";
import type { SkillMount } from "../section/agent-skills-section.ts";

/** A file or folder on this machine that is copied into the workspace. */
export interface HostMount {
  /** The file or folder to copy. */
  readonly hostPath: string;
  /**
   * The path of the copy, relative to the workspace.
   * @default the last segment of `hostPath`
   */
  readonly mountPath?: string;
  /**
   * Whether the copy is read-only.
   * @default false
   */
  readonly readOnly?: boolean;
}

/** A validated mount. */
export interface Mount {
  /** The path as passed by the caller, for errors. */
  readonly hostPath: string;
  /** The real path of the source. */
  readonly source: string;
  /** The path of the copy, relative to the workspace. */
  readonly path: string;
  readonly readOnly: boolean;
}

/** Validates mounts against each other and against the allowed roots, which must be real paths. */
export function checkMounts(mounts: readonly HostMount[], roots: readonly string[], key: string): readonly Mount[] {
  const taken = new Set<string>();
  return mounts.map((mount) => {
    checkOptions("A mount of new WorkspaceSection()", mount ?? null, MOUNT_OPTIONS);
    const { hostPath, mountPath, readOnly = false } = mount;
    const source = realPath(hostPath, key);
    if (!roots.some((root) => isWithin(root, source)))
      throw new PromptValidationError(`'${hostPath}' cannot be mounted: it is outside the allowed roots.`, [key]);
    const path = mountPath ?? resolve(hostPath).split("/").at(-1) ?? "";
    const target = resolve(WORKSPACE, path);
    if (isAbsolute(path) || target === WORKSPACE || !isWithin(WORKSPACE, target))
      throw new PromptValidationError(`'${path}' is not a path below the workspace.`, [key]);
    if (taken.has(target)) throw new PromptValidationError(`Two mounts have the path '${path}'.`, [key]);
    taken.add(target);
    return { hostPath, source, path, readOnly };
  });
}

const MOUNT_OPTIONS: OptionTable<HostMount> = { hostPath: true, mountPath: true, readOnly: true };

/** Represents the folder, which is created only after validation. */
const WORKSPACE = resolve("/workspace");

/** The folders that copies may come from, and their size limits. */
export interface MountScope {
  readonly within: readonly string[];
  readonly budget: CopyBudget;
}

/** Copies a mount into a workspace. Links are copied as their targets; a link that leaves the mount is an error. */
export function* copyMount(
  { hostPath, source, readOnly }: Omit<Mount, "path">,
  target: string,
  scope: MountScope,
): Generator<void> {
  const options = { ...scope, symlinks: "contained", readOnly, skipsSpecial: true } as const;
  try {
    if (!statSync(source).isDirectory()) return yield* copyOneFile(source, target, options);
    yield* copyTree(source, target, options);
    if (readOnly) chmodSync(target, 0o555);
  } catch (error) {
    const { message, syscall } = error as NodeJS.ErrnoException;
    if (!(error instanceof SkillError) && syscall === undefined) throw error;
    const code = error instanceof SkillError ? error.code : "source-unreadable";
    throw new SkillError(code, `'${hostPath}' cannot be mounted: ${message}`, { cause: error });
  }
}

/** Creates the folders above a skill's location in a workspace; returns false if a skill already exists there. */
export function makePlace({ name, location }: SkillMount, target: string, workspace: string): boolean {
  if (existsSync(join(target, "SKILL.md"))) return false;
  const refuse = (why: string, cause?: unknown): never => {
    const message = `Skill '${name}' cannot be mounted at '${location}': ${why}. Set another 'mountPath' for its section.`;
    throw new PromptValidationError(message, [name], { cause });
  };
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) refuse("something else exists there");
  let above = workspace;
  for (const part of relative(workspace, dirname(target)).split(sep)) {
    above = join(above, part);
    // An agent that worked here before may have left a link to another folder.
    const stats = lstatSync(above, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory()) refuse(`'${part}' is not a folder`);
    if (stats !== undefined) continue;
    try {
      mkdirSync(above);
    } catch (error) {
      refuse((error as Error).message, error);
    }
  }
  return true;
}

/** Returns the path with links resolved; throws if it does not exist. */
export function realPath(path: string, key: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new PromptValidationError(`'${path}' cannot be mounted: it does not exist.`, [key], { cause: error });
  }
}
