import { existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PromptValidationError, SkillError } from "../core/base/errors.ts";
import { DEFAULTS, LIMITS } from "../core/base/limits.ts";
import { untilAborted } from "../core/base/until-aborted.ts";
import type { Session } from "../core/session.ts";
import { Pause } from "../node/files/pause.ts";
import { CopyBudget, SKILL_LIMITS } from "../node/tree/copy-budget.ts";
import { makeTemporaryFolder, removeOwnedFolder, sweepOwnedFolders } from "../node/tree/owned-folder.ts";
import { removeTree } from "../node/tree/remove-tree.ts";
import type { SkillMount } from "../prompt/section/agent-skills-section.ts";
import { Section } from "../prompt/section/section.ts";
import {
  checkMounts,
  copyMount,
  type HostMount,
  type Mount,
  type MountScope,
  makePlace,
  realPath,
} from "./workspace-mounts.ts";

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

export interface OpenWorkspaceOptions {
  /** Stops the copy, which is then removed. */
  readonly signal?: AbortSignal;
  /** Called now and then, and at the end, with the number of bytes that were copied so far. */
  readonly onProgress?: (bytes: number) => void;
}

/** A folder for the agent to work in. `open()` copies the mounts into it, and the prompt lists them. */
export class ClaudeAgentWorkspaceSection extends Section {
  /** The folder; give it to the agent as its working folder. It is empty until `open()`. */
  readonly tempDir: string;
  readonly session: Session | undefined;
  readonly #mounts: readonly Mount[];
  readonly #roots: readonly string[];
  readonly #maxBytes: number;
  readonly #root: string;
  #state: "new" | "open" | "removed" = "new";
  /** Two evaluations may share the workspace, so only one copies at a time. */
  #last: Promise<unknown> = Promise.resolve();

  /** Validates the mounts and makes the folder; copies nothing. */
  constructor(options: ClaudeAgentWorkspaceSectionOptions) {
    const {
      mounts,
      allowedHostRoots,
      maxBytes = DEFAULTS.workspaceBytes,
      session,
      title = "Workspace",
      key = "workspace",
    } = options;
    super({ title, key, acceptsOverrides: false });
    this.session = session;
    this.#maxBytes = maxBytes;
    this.#roots = allowedHostRoots.map((root) => realPath(root, key));
    this.#mounts = checkMounts(mounts, this.#roots, key);
    this.#root = makeTemporaryFolder(PREFIX);
    this.tempDir = join(this.#root, "work");
    try {
      mkdirSync(this.tempDir);
    } catch (error) {
      this.cleanup();
      throw error;
    }
  }

  override renderBody(): string {
    const lines = this.#mounts.map(({ path, readOnly }) => `- \`${path}\`${readOnly ? " (read-only)" : ""}`);
    return ["The working folder has:", ...lines].join("\n");
  }

  /**
   * Copies the mounts into the folder, and removes the workspaces that killed programs left. The adapter calls it before
   * it asks the agent. Only the first call copies; if it fails or is aborted, its copies are removed and the next call
   * starts again.
   */
  async open({ signal, onProgress }: OpenWorkspaceOptions = {}): Promise<void> {
    await this.#inTurn(signal, async () => {
      if (this.#state === "open") return;
      sweepOwnedFolders(dirname(this.#root), PREFIX);
      // One for all mounts: the limit is for the whole workspace.
      const budget = new CopyBudget({ ...MOUNT_LIMITS, bytes: this.#maxBytes, file: this.#maxBytes });
      const copies: string[] = [];
      try {
        const steps = this.#copyMounts({ within: this.#roots, budget }, copies);
        await this.#copy(steps, budget, { signal, onProgress });
      } catch (error) {
        for (const copy of copies.reverse()) removeTree(copy);
        throw error;
      }
      if (this.#state === "new") this.#state = "open";
    });
  }

  /** Puts read-only copies of skills where a catalog lists them; a skill that is there already stays. */
  async mountSkills(
    mounts: readonly SkillMount[],
    { cwd = this.tempDir, signal }: { readonly cwd?: string; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    await this.#inTurn(signal, async () => {
      for (const mount of mounts) {
        const target = resolve(cwd, mount.location);
        if (!makePlace(mount, target, this.tempDir)) continue;
        const { folder, root } = mount;
        const budget = new CopyBudget({ ...SKILL_LIMITS, what: "mount" });
        const whole = { hostPath: folder, source: folder, readOnly: true };
        try {
          const steps = copyMount(whole, target, { within: [root], budget });
          await this.#copy(steps, budget, { signal });
        } catch (error) {
          // Half a skill would pass for a whole one at the next evaluation.
          removeTree(target);
          throw error;
        }
      }
    });
  }

  /** Removes the folder, with all that the agent has put there. */
  cleanup(): void {
    this.#state = "removed";
    removeOwnedFolder(this.#root);
  }

  [Symbol.dispose](): void {
    this.cleanup();
  }

  *#copyMounts(scope: MountScope, copies: string[]): Generator<void> {
    for (const mount of this.#mounts) {
      const target = join(this.tempDir, mount.path);
      if (existsSync(target))
        throw new PromptValidationError(`'${mount.path}' exists in the workspace already.`, [this.key]);
      mkdirSync(dirname(target), { recursive: true });
      copies.push(target);
      yield* copyMount(mount, target, scope);
    }
  }

  async #inTurn(signal: AbortSignal | undefined, work: () => Promise<void>): Promise<void> {
    const before = this.#last;
    const turn = untilAborted(signal, before).then(() => {
      this.#checkNotRemoved();
      return work();
    });
    // Both: a call that is aborted while it waits ends before the one that it waits for.
    this.#last = Promise.allSettled([before, turn]);
    await turn;
  }

  async #copy(steps: Generator<void>, budget: CopyBudget, { signal, onProgress }: OpenWorkspaceOptions): Promise<void> {
    const pause = new Pause(signal, onProgress);
    const rest = async (): Promise<void> => {
      await pause.take(budget.bytes);
      this.#checkNotRemoved();
    };
    for (const _ of steps) if (pause.isDue()) await rest();
    await rest();
  }

  #checkNotRemoved(): void {
    if (this.#state === "removed")
      throw new SkillError("option-invalid", "The workspace was cleaned up. Create a new one.");
  }
}

const PREFIX = "skillset-workspace-";
const MOUNT_LIMITS = {
  what: "mount",
  files: LIMITS.hard.workspaceFiles,
  nesting: LIMITS.hard.workspaceNesting,
  code: "resource-too-large",
} as const;
