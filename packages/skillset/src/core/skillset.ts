import { DEFAULTS } from "./base/limits.ts";
import type { Problem } from "./base/problem.ts";
import { shareInstances } from "./base/share-instances.ts";
import { untilAborted } from "./base/until-aborted.ts";
import { CATALOG_OPTIONS, type Catalog, type CatalogOptions, renderCatalog } from "./catalog/catalog.ts";
import { checkPins } from "./catalog/check-pins.ts";
import type { RankedSkill, RankIndex, RankOptions } from "./search/rank.ts";
import { SharedIndex } from "./search/shared-index.ts";
import type { SessionOptions } from "./session/options.ts";
import type { PreviewOptions, SkillPreview } from "./session/preview.ts";
import type { Session } from "./session.ts";
import type { SetSettings } from "./set/set-settings.ts";
import { fingerprint } from "./skill/fingerprint.ts";
import type { Skill } from "./skill/skill.ts";
import {
  type Collision,
  enabledSkills,
  type FilterOptions,
  type Selection,
  type SkillCandidate,
  type SkillEntry,
  selectSkills,
} from "./source/select.ts";
import { checkOptions, type OptionTable } from "./text/check-options.ts";

/** Reloads and watches a skillset's sources. Provided by the layer that reads them. */
export interface SkillsetLoader {
  reload(options: ReloadOptions): Promise<Skillset>;
  watch(current: Skillset, listener: WatchListener, options: WatchOptions): SkillsetWatcher;
}

/** What a skillset is made of. */
export interface SkillsetParts extends Selection {
  readonly settings?: SetSettings | undefined;
  readonly loader?: SkillsetLoader | undefined;
}

/** Options of `skillset.reload()`. */
export interface ReloadOptions {
  /** Aborts the reload. */
  readonly signal?: AbortSignal;
}

/** The result of a reload. */
export interface ReloadResult {
  readonly skillset: Skillset;
  readonly changes: SkillsetChanges;
}

/** The names of the skills that differ between two skillsets. */
export interface SkillsetChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export interface WatchOptions {
  /**
   * How long the disk must be quiet before a reload, in milliseconds.
   * @default 200
   */
  readonly debounce?: number;
  /** Closes the watcher. */
  readonly signal?: AbortSignal;
  /** Called when a whole reload fails. The last good skillset stays in use. */
  readonly onError?: (error: unknown) => void;
}

export type WatchListener = (reload: ReloadResult) => void;

export interface SkillsetWatcher {
  /** The newest skillset. */
  readonly current: Skillset;
  /** Resolves once the sources are being watched. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

let construct: (parts: SkillsetParts) => Skillset;

/** An immutable, ordered set of skills, with the problems and name collisions found while loading. */
export class Skillset {
  /** The enabled skills, in order of precedence. */
  readonly skills: readonly Skill[];
  /** Every skill that was found, including skills that are not enabled, with the reason. */
  readonly entries: readonly SkillEntry[];
  readonly problems: readonly Problem[];
  readonly collisions: readonly Collision[];
  /** What applies to the whole set, such as the budget of catalogs and the policy for `allowed-tools`. */
  readonly settings: SetSettings;
  readonly #loader: SkillsetLoader | undefined;
  readonly #index: SharedIndex;
  readonly #ranks = new Map<boolean, Promise<RankIndex>>();
  #names: ReadonlyMap<string, Skill> | undefined;
  #fingerprint: string | undefined;

  static {
    shareInstances(Skillset, "Skillset");
    construct = (parts) => new Skillset(parts);
  }

  private constructor({ entries, problems, collisions, settings = {}, loader }: SkillsetParts) {
    this.entries = Object.freeze([...entries]);
    this.skills = Object.freeze(enabledSkills(entries));
    this.problems = Object.freeze([...problems]);
    this.collisions = Object.freeze([...collisions]);
    this.#index = settings.index ?? new SharedIndex();
    this.settings = Object.freeze({ ...settings, index: this.#index });
    this.#loader = loader;
    Object.freeze(this);
  }

  /** Built on first use: listing ten thousand skills does not need it. */
  get #byName(): ReadonlyMap<string, Skill> {
    this.#names ??= new Map(this.skills.map((skill) => [skill.name, skill]));
    return this.#names;
  }

  get size(): number {
    return this.skills.length;
  }

  get names(): readonly string[] {
    return this.skills.map(({ name }) => name);
  }

  /** Changes when a skill is added, removed or moved, or its SKILL.md changes. Needs no file access. */
  get fingerprint(): string {
    this.#fingerprint ??= fingerprint(this.skills);
    return this.#fingerprint;
  }

  get(name: string): Skill | undefined {
    return this.#byName.get(name);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Returns a skillset with fewer skills. The others stay in `entries` as disabled. */
  filter(options: FilterOptions): Skillset {
    checkOptions("filter()", options, FILTER_OPTIONS);
    return deriveSkillset(this, (skillset) => {
      const others = skillset.entries.filter(({ status }) => status !== "enabled");
      const candidates = skillset.entries.flatMap((entry): readonly SkillCandidate[] =>
        entry.status === "enabled" ? [{ kind: "skill", skill: entry.skill, host: entry.host }] : [],
      );
      const { requirements } = skillset.settings;
      const { entries, problems } = selectSkills(candidates, { ...options, requirements });
      return { entries: [...entries, ...others], problems: [...skillset.problems, ...problems] };
    });
  }

  /** Renders the catalog for a model: names and descriptions, never instructions. */
  catalog(options: CatalogOptions = {}): Catalog {
    checkOptions("catalog()", options, CATALOG_OPTIONS);
    if (options.pins !== undefined) checkPins(options.pins, this.skills);
    const { budget = this.settings.budget, pins = this.settings.pins } = options;
    return renderCatalog(this.skills, { ...options, ...(budget && { budget }), ...(pins && { pins }) });
  }

  /** Returns the skills that best match a query. Activates none of them. */
  async rank(query: string, options: RankOptions = {}): Promise<readonly RankedSkill[]> {
    checkOptions("rank()", options, RANK_OPTIONS);
    const { limit = DEFAULTS.rankedSkills, minScore = 0, body = true, signal } = options;
    let ranks = this.#ranks.get(body);
    if (ranks === undefined) {
      ranks = this.#index.list(this.skills, body);
      this.#ranks.set(body, ranks);
      ranks.catch(() => this.#ranks.delete(body));
    }
    // The index is shared: a caller may stop waiting for it, but must not abort it.
    const searched = untilAborted(signal, ranks);
    const { embedding } = this.settings;
    if (embedding === undefined) return (await searched).search(query, { limit, minScore });
    const search = async (most: number) => (await searched).search(query, { limit: most });
    return embedding.rank(this.skills, query, search, { limit, minScore, signal });
  }

  /** Returns what activating a skill would return, without a session. Throws for a locked skill unless `locked` is set. */
  async preview(name: string, options: PreviewOptions = {}): Promise<SkillPreview> {
    const { previewSkill } = await import("./session/preview.ts");
    return previewSkill(this, name, options);
  }

  /** Starts a session over these skills, or resumes it from the store. */
  async session(options: SessionOptions = {}): Promise<Session> {
    const { openSession } = await import("./open-session.ts");
    return openSession(this, options);
  }

  /** Reloads the sources. Unchanged skills are not read again. */
  async reload(options: ReloadOptions = {}): Promise<ReloadResult> {
    checkOptions("reload()", options, RELOAD_OPTIONS);
    const skillset = this.#loader === undefined ? this : await this.#loader.reload(options);
    return { skillset, changes: compare(this, skillset) };
  }

  /** Watches the sources and calls the listener with each new skillset. */
  watch(listener: WatchListener, options: WatchOptions = {}): SkillsetWatcher {
    checkOptions("watch()", options, WATCH_OPTIONS);
    if (this.#loader === undefined) return { current: this, ready: Promise.resolve(), close: async () => {} };
    return this.#loader.watch(this, listener, options);
  }
}

/** The only way to make a skillset. Programs use `createSkillset`. */
export function makeSkillset(parts: SkillsetParts): Skillset {
  return construct(parts);
}

/**
 * Returns a skillset that differs from another one only in what `change` returns, also after a reload. Everything else
 * stays: a copy by hand would forget a setting.
 */
export function deriveSkillset(from: Skillset, change: (skillset: Skillset) => Partial<SkillsetParts>): Skillset {
  const follow = ({ skillset }: ReloadResult): Skillset => deriveSkillset(skillset, change);
  return makeSkillset({
    ...from,
    ...change(from),
    loader: {
      reload: async (options) => follow(await from.reload(options)),
      watch: (current, listener, options) => {
        let known = current;
        const watcher = from.watch((reload) => {
          const before = known;
          known = follow(reload);
          const changes = compare(before, known);
          // Changes to skills that are left out are not reported.
          if (Object.values(changes).some((names) => names.length > 0)) listener({ skillset: known, changes });
        }, options);
        return {
          get current() {
            return known;
          },
          ready: watcher.ready,
          close: () => watcher.close(),
        };
      },
    },
  });
}

const FILTER_OPTIONS: OptionTable<FilterOptions> = { enabled: true, disabled: true, maxSkills: true };
const RANK_OPTIONS: OptionTable<RankOptions> = { limit: true, minScore: true, body: true, signal: true };
const RELOAD_OPTIONS: OptionTable<ReloadOptions> = { signal: true };
const WATCH_OPTIONS: OptionTable<WatchOptions> = { debounce: true, signal: true, onError: true };

/** Returns the names that differ between two skillsets. */
function compare(before: Skillset, after: Skillset): SkillsetChanges {
  const added = after.skills.filter(({ name }) => !before.has(name));
  const removed = before.skills.filter(({ name }) => !after.has(name));
  const changed = after.skills.filter((skill) => {
    const known = before.get(skill.name);
    return known !== undefined && known !== skill && fingerprint([known]) !== fingerprint([skill]);
  });
  const names = (skills: readonly Skill[]): string[] => skills.map(({ name }) => name);
  return { added: names(added), removed: names(removed), changed: names(changed) };
}
