import type { ToolSet } from "ai";
import {
  createSkillset,
  type Problem,
  type ReloadResult,
  type SkillPreview,
  type Skillset,
  type SkillsetWatcher,
} from "skillset";
import type { WithSkillsOptions } from "skillset/ai-sdk";
import type { SkillsConfig } from "../config/config.ts";
import type { Log } from "../observe/log.ts";
import type { ChatScripts } from "./script-options.ts";
import { type SkillFolder, skillFolders } from "./skill-folders.ts";
import type { SwitchStore } from "./switch-store.ts";

export interface RegistryOptions {
  readonly config: SkillsConfig;
  readonly projectRoot: string;
  /** The folder in which the chat was started. */
  readonly startFolder: string;
  readonly switches: SwitchStore;
  readonly scripts: ChatScripts;
  readonly log: Log;
  readonly onChange: (changes: ReloadResult["changes"]) => void;
  /** Called with the skills that were enabled or disabled. */
  readonly onSwitch: (switched: Pick<ReloadResult["changes"], "added" | "removed">) => void;
}

export interface SkillRoot {
  /** Absolute path. */
  readonly path: string;
  readonly isThere: boolean;
  /** It belongs to the project in which the chat was started, and the settings do not name it: its skills need trust. */
  readonly isAbove: boolean;
}

type TurnOptions = Pick<WithSkillsOptions<ToolSet>, "catalog" | "suggest">;

const MISSING = "source-missing";

/** The skills of this server, as an immutable snapshot that is replaced when a folder or a switch changes. */
export class SkillRegistry {
  readonly #options: RegistryOptions;
  readonly #folders: readonly SkillFolder[];
  #current: Skillset;
  #scannedAt = new Date();
  #watcher: SkillsetWatcher | undefined;
  /** Runs rescans and switches one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  static async open(options: RegistryOptions): Promise<SkillRegistry> {
    const folders = skillFolders(options);
    const registry = new SkillRegistry(options, folders, await load(options, folders));
    registry.#follow();
    registry.#report(registry.#current);
    return registry;
  }

  private constructor(options: RegistryOptions, folders: readonly SkillFolder[], first: Skillset) {
    this.#options = options;
    this.#folders = folders;
    this.#current = first;
  }

  get current(): Skillset {
    return this.#current;
  }

  get scannedAt(): Date {
    return this.#scannedAt;
  }

  /** What the rules of skills do: as in the settings, or stricter by the profile. */
  get policies(): Pick<SkillsConfig, "allowedTools" | "triggers"> {
    const { allowedTools, triggers } = this.#options.config;
    return { allowedTools: this.#current.settings.allowedTools ?? allowedTools, triggers };
  }

  get limits(): { readonly skillMdBytes: number; readonly resourceBytes: number } {
    const { maxSkillMdBytes, maxResourceBytes } = this.#options.config;
    return { skillMdBytes: maxSkillMdBytes, resourceBytes: maxResourceBytes };
  }

  get policy(): SkillsConfig["policy"] {
    return this.#options.config.policy;
  }

  /** The maximum size of the catalog in tokens. */
  get catalogBudget(): number {
    return this.#options.config.maxCatalogTokens;
  }

  /** What the settings change in the prompt of each turn. */
  get turnOptions() {
    const { suggest } = this.#options.config;
    return { catalog: { format: "json" }, suggest } as const satisfies TurnOptions;
  }

  /** A skill as a model would receive it, with the same limits. Does not count as an activation. */
  preview(
    name: string,
    options: Omit<NonNullable<Parameters<Skillset["preview"]>[1]>, "limits"> = {},
  ): Promise<SkillPreview> {
    return this.#current.preview(name, { ...options, limits: this.limits });
  }

  /** The scanned folders, in order of precedence. */
  get roots(): readonly SkillRoot[] {
    const missing = new Set(this.#current.problems.flatMap(({ code, path }) => (code === MISSING ? [path] : [])));
    return this.#folders.map(({ path, isAbove }) => ({ path, isThere: !missing.has(path), isAbove }));
  }

  /** The problems of scripts, and of the skills that were found. */
  get problems(): readonly Problem[] {
    return [...this.#options.scripts.problems, ...this.#current.problems.filter((problem) => !this.#isUsual(problem))];
  }

  /** Resolves when the folders are being watched. */
  get ready(): Promise<void> {
    return this.#watcher?.ready ?? Promise.resolve();
  }

  rescan(): Promise<void> {
    return this.#queue(async () => {
      const { skillset, changes } = await this.#current.reload();
      this.#replace(skillset);
      this.#options.onChange(changes);
    });
  }

  /** Reads the stored switches, which another server may have changed. */
  readSwitches(): Promise<void> {
    return this.#queue(async () => {
      const before = this.#current;
      const next = await load(this.#options, this.#folders);
      await this.#watcher?.close();
      const added = next.names.filter((name) => !before.has(name));
      const removed = before.names.filter((name) => !next.has(name));
      this.#replace(next);
      this.#options.onSwitch({ added, removed });
      this.#follow();
    });
  }

  async setSwitch(name: string, isEnabled: boolean): Promise<void> {
    await this.#options.switches.set(name, isEnabled);
    await this.readSwitches();
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#watcher?.close();
  }

  #follow(): void {
    const { log, onChange } = this.#options;
    const take = ({ skillset, changes }: ReloadResult): void => {
      this.#replace(skillset);
      onChange(changes);
    };
    this.#watcher = this.#current.watch(take, {
      onError: (error) => log.warn("skills-not-reloaded", { reason: String(error) }),
    });
  }

  #replace(next: Skillset): void {
    this.#report(next, this.#current);
    this.#current = next;
    this.#scannedAt = new Date();
  }

  /** Logs the differences from the last snapshot, once. */
  #report(next: Skillset, before?: Skillset): void {
    const { log } = this.#options;
    const known = new Set(before?.problems.map(({ message, path }) => `${path} ${message}`));
    const ofScripts = before === undefined ? this.#options.scripts.problems : [];
    for (const problem of [...ofScripts, ...next.problems]) {
      const { code, severity, message, path, line, fix } = problem;
      if (severity === "info" || known.has(`${path} ${message}`)) continue;
      log[this.#isUsual(problem) ? "info" : "warn"]("skill-problem", { code, message, path, line, fix });
    }
    for (const { name, allowedTools } of next.skills) {
      if (allowedTools.length === 0 || before?.has(name)) continue;
      const isEnforced = next.settings.allowedTools === "enforce";
      log.info("skill-allowed-tools", { skill: name, allowedTools, isEnforced });
    }
    log.info("skills-loaded", { skills: next.size, found: next.entries.length, problems: next.problems.length });
  }

  #isUsual({ code, path }: Problem): boolean {
    return code === MISSING && this.#folders.some((folder) => folder.isUsual && folder.path === path);
  }

  #queue(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}

async function load(
  { config, projectRoot, switches, scripts }: RegistryOptions,
  folders: readonly SkillFolder[],
): Promise<Skillset> {
  const sources = folders.map(({ source }) => source);
  return createSkillset(sources, {
    cwd: projectRoot,
    policy: config.policy,
    // A name in another alphabet can look exactly like that of a trusted skill.
    asciiNames: true,
    recursive: config.scanDepth,
    maxSkills: config.maxSkills,
    disabled: await switches.disabled(),
    allowedTools: config.allowedTools,
    catalog: { budget: { tokens: config.maxCatalogTokens }, pins: config.catalogPins },
    ...(config.profile !== undefined && { profile: config.profile }),
    ...(scripts.options && { scripts: scripts.options }),
    // The registry logs them.
    onProblem: () => {},
  });
}
