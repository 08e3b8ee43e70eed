import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { PromptValidationError, SkillError } from "../core/base/errors.ts";
import type { Session } from "../core/session.ts";
import { isWithin } from "../node/files/contained-read.ts";
import { CopyBudget, SKILL_LIMITS } from "../node/tree/copy-budget.ts";
import { copyOneFile, copyTree } from "../node/tree/copy-tree.ts";
import { makeTemporaryFolder, removeOwnedFolder } from "../node/tree/owned-folder.ts";
import { removeTree } from "../node/tree/remove-tree.ts";
import type { SkillMount } from "../prompt/section/agent-skills-section.ts";
import { Section } from "../prompt/section/section.ts";

/** A file or folder of this machine that the agent gets a copy of. */
export interface HostMount {
  readonly hostPath: string;
  /** Where the copy is, from the workspace; the last part of `hostPath` by default. */
  readonly mountPath?: string;
  /** Whether the copy cannot be written to. */
  readonly readOnly?: boolean;
}

export interface ClaudeAgentWorkspaceSectionOptions {
  readonly mounts: readonly HostMount[];
  /** What is mounted must be below one of these folders. */
  readonly allowedHostRoots: readonly string[];
  /** The most that the copies may have together, in bytes. */
  readonly maxBytes?: number;
  /** The conversation that the workspace is for: skills that the agent reads become active in it. */
  readonly session?: Session;
  readonly title?: string;
  readonly key?: string;
}

/** A folder for the agent to work in, with copies of what is mounted there; the prompt says what that is. */
export class ClaudeAgentWorkspaceSection extends Section {
  /** The folder; give it to the agent as its working folder. */
  readonly tempDir: string;
  readonly session: Session | undefined;

  constructor(options: ClaudeAgentWorkspaceSectionOptions) {
    const { mounts, session, title = "Workspace", key = "workspace" } = options;
    super({ title, key, acceptsOverrides: false });
    this.session = session;
    this.#mounts = mounts;
    const root = makeTemporaryFolder(PREFIX);
    this.tempDir = join(root, "work");
    this.#root = root;
    try {
      mkdirSync(this.tempDir);
      mountAll(this.tempDir, options, key);
    } catch (error) {
      this.cleanup();
      throw error;
    }
  }

  readonly #mounts: readonly HostMount[];
  readonly #root: string;

  override renderBody(): string {
    const lines = this.#mounts.map((mount) => `- \`${mountPathOf(mount)}\`${mount.readOnly ? " (read-only)" : ""}`);
    return ["The working folder has:", ...lines].join("\n");
  }

  /** Puts read-only copies of skills where a catalog says that they are; what is there already stays. */
  mountSkills(mounts: readonly SkillMount[], { cwd = this.tempDir }: { readonly cwd?: string } = {}): void {
    for (const mount of mounts) mountSkill(mount, resolve(cwd, mount.location), this.tempDir);
  }

  /** Removes the folder, with all that the agent has put there. */
  cleanup(): void {
    removeOwnedFolder(this.#root);
  }

  [Symbol.dispose](): void {
    this.cleanup();
  }
}

const PREFIX = "skillset-workspace-";

function mountAll(
  folder: string,
  { mounts, allowedHostRoots, maxBytes = MAX_BYTES }: ClaudeAgentWorkspaceSectionOptions,
  key: string,
): void {
  const roots = allowedHostRoots.map((root) => realPath(root, key));
  const limits = { what: "mount", files: MAX_FILES, nesting: MAX_NESTING, code: "resource-too-large" } as const;
  // One for all mounts: the limit is for the whole workspace.
  const budget = new CopyBudget({ ...limits, bytes: maxBytes, file: maxBytes });
  for (const mount of mounts) {
    const source = realPath(mount.hostPath, key);
    if (!roots.some((root) => isWithin(root, source)))
      throw new PromptValidationError(`'${mount.hostPath}' cannot be mounted: it is outside the allowed roots.`, [key]);
    const path = mountPathOf(mount);
    const target = resolve(folder, path);
    if (target === folder || !isWithin(folder, target) || isAbsolute(path))
      throw new PromptValidationError(`'${path}' is not a path below the workspace.`, [key]);
    if (existsSync(target)) throw new PromptValidationError(`Two mounts have the path '${path}'.`, [key]);
    mkdirSync(dirname(target), { recursive: true });
    copyMount(source, target, mount, { within: roots, budget });
  }
}

const MAX_BYTES = 1024 ** 3;
const MAX_FILES = 100_000;
const MAX_NESTING = 100;

function mountPathOf({ hostPath, mountPath }: HostMount): string {
  return mountPath ?? resolve(hostPath).split("/").at(-1) ?? "";
}

/** A link is copied as what it leads to; one that leads out of what is mounted is an error. */
function copyMount(
  source: string,
  target: string,
  { hostPath, readOnly = false }: HostMount,
  scope: { readonly within: readonly string[]; readonly budget: CopyBudget },
): void {
  const options = { ...scope, symlinks: "contained", readOnly, skipsSpecial: true } as const;
  try {
    if (!statSync(source).isDirectory()) {
      copyOneFile(source, target, options);
      return;
    }
    for (const _ of copyTree(source, target, options));
    if (readOnly) chmodSync(target, 0o555);
  } catch (error) {
    const { message, syscall } = error as NodeJS.ErrnoException;
    if (!(error instanceof SkillError) && syscall === undefined) throw error;
    const code = error instanceof SkillError ? error.code : "source-unreadable";
    throw new SkillError(code, `'${hostPath}' cannot be mounted: ${message}`, { cause: error });
  }
}

function mountSkill({ name, folder, root, location }: SkillMount, target: string, workspace: string): void {
  if (existsSync(join(target, "SKILL.md"))) return;
  const refuse = (why: string): never => {
    const message = `Skill '${name}' cannot be mounted at '${location}': ${why}. Give its section another mountPath.`;
    throw new PromptValidationError(message, [name]);
  };
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) refuse("something else is there");
  try {
    let above = workspace;
    for (const part of relative(workspace, dirname(target)).split(sep)) {
      above = join(above, part);
      const stats = lstatSync(above, { throwIfNoEntry: false });
      // An agent that worked here before may have left a link that leads out.
      if (stats === undefined) mkdirSync(above);
      else if (!stats.isDirectory()) refuse(`'${part}' is not a folder`);
    }
    const budget = new CopyBudget({ ...SKILL_LIMITS, what: "mount" });
    copyMount(folder, target, { hostPath: folder, readOnly: true }, { within: [root], budget });
  } catch (error) {
    if (error instanceof PromptValidationError) throw error;
    // Half a skill would pass for a whole one at the next evaluation.
    removeTree(target);
    if (error instanceof SkillError) throw error;
    refuse((error as Error).message);
  }
}

function realPath(path: string, key: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new PromptValidationError(`'${path}' does not exist, and cannot be mounted.`, [key], { cause: error });
  }
}
