import { existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PromptValidationError, SkillError } from "../../core/base/errors.ts";
import { DEFAULTS, LIMITS } from "../../core/base/limits.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import { checkSession } from "../../core/conversation-of.ts";
import type { Session } from "../../core/session.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { CopyBudget, SKILL_LIMITS } from "../../node/copy/copy-budget.ts";
import { makeTemporaryFolder, removeOwnedFolder, sweepOwnedFolders } from "../../node/copy/owned-folder.ts";
import { removeTree } from "../../node/copy/remove-tree.ts";
import { Pause } from "../../node/files/pause.ts";
import type { SkillMount } from "../section/agent-skills-section.ts";
import { Section } from "../section/section.ts";
import {
  checkMounts,
  copyMount,
  type HostMount,
  type Mount,
  type MountScope,
  makePlace,
  realPath,
} from "./workspace-mounts.ts";

/** Options for `WorkspaceSection`. */
export interface WorkspaceSectionOptions {
  /** The files and folders to copy into the workspace. */
  readonly mounts: readonly HostMount[];
  /** The folders that mounts may come from. */
  readonly allowedHostRoots: readonly string[];
  /**
   * The maximum total size of the copies, in bytes.
   * @default 1_073_741_824
   */
  readonly maxBytes?: number;
  /** The conversation of the workspace: skills that the agent reads become active in it. */
  readonly session?: Session;
  /**
   * The heading of the section.
   * @default "Workspace"
   */
  readonly title?: string;
  /**
   * The key of the section.
   * @default "workspace"
   */
  readonly key?: string;
}

/** Options for `open()`. */
export interface OpenWorkspaceOptions {
  /** Aborts the copy and removes the copied files. */
  readonly signal?: AbortSignal;
  /** Called periodically, and at the end, with the number of bytes copied so far. */
  readonly onProgress?: (bytes: number) => void;
}

/**
 * A working folder for the agent. `open()` copies the mounts into it, and the prompt lists them.
 *
 * @example
 * ```ts
 * import { ClaudeAgentSDKAdapter } from "skillset/claude";
 * import { MarkdownSection, Prompt, PromptTemplate, WorkspaceSection } from "skillset/prompt";
 *
 * using workspace = new WorkspaceSection({
 *   mounts: [{ hostPath: "/srv/repos/app", mountPath: "repo", readOnly: true }],
 *   allowedHostRoots: ["/srv/repos"],
 * });
 * const task = new MarkdownSection({ title: "Task", key: "task", template: "Summarize repo/." });
 * const prompt = new Prompt(new PromptTemplate({ ns: "docs", key: "summary", sections: [task, workspace] }));
 * const { text } = await new ClaudeAgentSDKAdapter().evaluate(prompt);
 * console.log(text);
 * ```
 */
export class WorkspaceSection extends Section {
  /** The agent's working folder. It is empty until `open()` is called. */
  readonly tempDir: string;
  readonly session: Session | undefined;
  readonly #mounts: readonly Mount[];
  readonly #roots: readonly string[];
  readonly #maxBytes: number;
  readonly #root: string;
  /** Where skills were copied to. */
  readonly #skills = new Set<string>();
  #state: "new" | "open" | "removed" = "new";
  /** Two evaluations may share the workspace, so only one copies at a time. */
  #last: Promise<unknown> = Promise.resolve();

  /** Validates the mounts and creates the folder without copying anything. */
  constructor(options: WorkspaceSectionOptions) {
    checkOptions("new WorkspaceSection()", options, OPTIONS);
    const {
      mounts,
      allowedHostRoots,
      maxBytes = DEFAULTS.workspaceBytes,
      session,
      title = "Workspace",
      key = "workspace",
    } = options;
    super({ title, key, acceptsOverrides: false });
    if (session !== undefined) checkSession(session);
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

  /** The absolute paths of read-only mounts, and of the skills that were copied. */
  get readOnlyPaths(): readonly string[] {
    const mounts = this.#mounts.filter(({ readOnly }) => readOnly).map(({ path }) => join(this.tempDir, path));
    return [...mounts, ...this.#skills];
  }

  override renderBody(): string {
    const lines = this.#mounts.map(({ path, readOnly }) => `- \`${path}\`${readOnly ? " (read-only)" : ""}`);
    return ["The working folder contains:", ...lines].join("\n");
  }

  /**
   * Copies the mounts into the folder, and removes workspaces left behind by killed programs. The adapter calls it
   * before it runs the prompt. Only the first call copies; if it fails or is aborted, its copies are removed and the
   * next call starts again.
   */
  async open(options: OpenWorkspaceOptions = {}): Promise<void> {
    checkOptions("open()", options, OPEN_OPTIONS);
    const { signal, onProgress } = options;
    await this.#inTurn(signal, async () => {
      if (this.#state === "open") return;
      sweepOwnedFolders(dirname(this.#root), PREFIX);
      // One budget for all mounts: the limit applies to the whole workspace.
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

  /** Copies skills, read-only, to the locations in a catalog. Existing skills are kept. */
  async mountSkills(
    mounts: readonly SkillMount[],
    options: { readonly cwd?: string; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    checkOptions("mountSkills()", options, { cwd: true, signal: true });
    const { cwd = this.tempDir, signal } = options;
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
          this.#skills.add(target);
        } catch (error) {
          // The next evaluation would treat a partial copy as a complete skill.
          removeTree(target);
          throw error;
        }
      }
    });
  }

  /** Removes the folder and everything in it. */
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
        throw new PromptValidationError(`'${mount.path}' already exists in the workspace.`, [this.key]);
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
    // Wait for both: a call that is aborted in the queue settles before the one ahead of it.
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

const OPEN_OPTIONS: OptionTable<OpenWorkspaceOptions> = { signal: true, onProgress: true };
const OPTIONS: OptionTable<WorkspaceSectionOptions> = {
  mounts: true,
  allowedHostRoots: true,
  maxBytes: true,
  session: true,
  title: true,
  key: true,
};
