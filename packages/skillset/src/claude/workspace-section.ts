import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { PromptValidationError, SkillError } from "../core/errors.ts";
import type { Session } from "../core/session.ts";
import { isWithin } from "../node/contained-read.ts";
import { makeOwnedFolder, removeOwnedFolder, sweepOwnedFolders } from "../node/owned-folder.ts";
import { Section } from "../prompt/section.ts";

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
    const temporary = realpathSync(tmpdir());
    sweepOwnedFolders(temporary, PREFIX);
    const root = makeOwnedFolder(temporary, PREFIX);
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
  const copier = new Copier(maxBytes);
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
    copier.copy(source, target, { root: source, readOnly: mount.readOnly ?? false });
  }
}

const MAX_BYTES = 1024 ** 3;
const MAX_ENTRIES = 100_000;

function mountPathOf({ hostPath, mountPath }: HostMount): string {
  return mountPath ?? resolve(hostPath).split("/").at(-1) ?? "";
}

/** Copies trees; a link is copied as what it leads to, and one that leads out of what is mounted is an error. */
class Copier {
  #left: number;
  #entries = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#left = most;
    this.#most = most;
  }

  copy(
    source: string,
    target: string,
    scope: { readonly root: string; readonly readOnly: boolean },
    above: readonly string[] = [],
  ): void {
    const real = realpathSync(source);
    this.#entries += 1;
    if (this.#entries > MAX_ENTRIES)
      throw new SkillError("resource-too-large", `What is mounted has more than ${MAX_ENTRIES} files and folders.`);
    if (!isWithin(scope.root, real)) {
      const message = `'${source}' cannot be mounted: it is a link that leads out of '${scope.root}'.`;
      throw new SkillError("resource-outside-skill", message);
    }
    const stats = statSync(real);
    if (stats.isDirectory()) {
      // Links that lead round in a circle would have no end.
      if (above.includes(real))
        throw new SkillError(
          "resource-outside-skill",
          `'${source}' cannot be mounted: it leads to a folder that it is in.`,
        );
      mkdirSync(target);
      for (const name of readdirSync(real)) this.copy(join(real, name), join(target, name), scope, [...above, real]);
      if (scope.readOnly) chmodSync(target, 0o555);
    } else if (stats.isFile()) {
      this.#left -= stats.size;
      if (this.#left < 0)
        throw new SkillError("resource-too-large", `What is mounted has more than ${this.#most} bytes.`);
      copyFileSync(real, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
      chmodSync(target, (stats.mode & 0o111 ? 0o555 : 0o444) | (scope.readOnly ? 0 : 0o200));
    }
  }
}

function realPath(path: string, key: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new PromptValidationError(`'${path}' does not exist, and cannot be mounted.`, [key], { cause: error });
  }
}
