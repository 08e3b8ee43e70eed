import { SkillError } from "../base/errors.ts";
import type { Problem } from "../base/problem.ts";
import type { SkillHost } from "../host/skill-host.ts";
import { type Policy, resolvePolicy } from "../manifest/policy.ts";
import { SharedIndex } from "../search/shared-index.ts";
import { mergeSettings } from "../set/merge-settings.ts";
import type { SetSettings } from "../set/set-settings.ts";
import {
  makeSkillset,
  type ReloadOptions,
  Skillset,
  type SkillsetLoader,
  type SkillsetWatcher,
  type WatchListener,
  type WatchOptions,
} from "../skillset.ts";
import type { SourceListing } from "../source/read-source.ts";
import { type SkillCandidate, selectSkills } from "../source/select.ts";
import { isSource, type SkillSource } from "../source/source.ts";
import type { LoadOptions } from "./load-options.ts";
import type { LoadedProfile } from "./loaded-profile.ts";
import { ownSettings, unknownPins } from "./own-settings.ts";
import type { FolderLoad, Platform } from "./platform.ts";
import { readSkillset } from "./read-skillset.ts";
import { isHeard, type ProblemListener, reportProblems, warnOfProblem } from "./report-problems.ts";
import { type FolderInput, isSkill, type SkillInput } from "./skill-input.ts";
import { standing } from "./standing-problems.ts";
import type { WatchedSource } from "./watch-sources.ts";

/** The last successful result of a source. */
type SourceReading<Found> =
  | {
      readonly kind: "candidates";
      readonly candidates: readonly SkillCandidate[];
      readonly problems: readonly Problem[];
    }
  | ({ readonly kind: "listing" } & SourceListing)
  | { readonly kind: "folders"; readonly found: Found; readonly problems: readonly Problem[] };

interface Run<Found> {
  readonly folders: FolderLoad<Found>;
  readonly reading: ReloadOptions;
}

/** What is opened before the skills are loaded. */
interface SourceLoaderParts<Found> extends Pick<SetSettings, "embedding"> {
  readonly platform: Platform<Found>;
  /** Problems that were found before, such as scripts that cannot run. */
  readonly problems?: readonly Problem[] | undefined;
  readonly profile?: LoadedProfile | undefined;
  /** What runs the code of the skills from the sources, without those of other skillsets. */
  readonly host?: SkillHost | undefined;
}

/** Loads and reloads the sources of a skillset. */
export class SourceLoader<Found> implements SkillsetLoader {
  readonly #sources: readonly SkillInput[];
  readonly #options: LoadOptions;
  readonly #policy: Policy;
  readonly #lastGood = new Map<SkillInput, SourceReading<Found>>();
  readonly #inner = new Map<Skillset, Skillset>();
  readonly #platform: Platform<Found>;
  readonly #opened: readonly Problem[];
  readonly #profile: LoadedProfile | undefined;
  readonly #settings: SetSettings;
  readonly #host: SkillHost | undefined;
  /** The hosts of other skillsets, by what the profile leaves of them. Kept, so that a reload makes no others. */
  readonly #narrowed = new WeakMap<SkillHost, SkillHost>();
  readonly #onProblem: ProblemListener;
  #reported: ReadonlySet<string> = new Set();

  constructor(
    sources: readonly SkillInput[],
    { signal: _signal, onProgress: _onProgress, onProblem = warnOfProblem, ...options }: LoadOptions,
    { platform, problems = [], profile, host, embedding }: SourceLoaderParts<Found>,
  ) {
    this.#platform = platform;
    this.#opened = [...problems, ...(profile?.problems ?? [])];
    this.#profile = profile;
    this.#host = host;
    this.#sources = sources;
    this.#options = options;
    this.#onProblem = onProblem;
    this.#policy = resolvePolicy(options);
    // Made here, so that all loads share it. Sets that are sources bring their own.
    const index = sources.some((source) => source instanceof Skillset) ? undefined : new SharedIndex();
    const hosts = host && Object.freeze([host]);
    this.#settings = { ...ownSettings(options, profile, platform.bases), embedding, index, hosts };
  }

  async load({ signal, onProgress }: Pick<LoadOptions, "signal" | "onProgress"> = {}): Promise<Skillset> {
    const problems: Problem[] = [];
    const folders = this.#platform.open({ policy: this.#policy, problems, signal, onProgress });
    const run = { folders, reading: signal === undefined ? {} : { signal } };
    signal?.throwIfAborted();
    const candidates: SkillCandidate[] = [];
    for (const source of this.#sources) {
      const reading = await this.#readSource(source, run);
      for (const problem of reading.problems) problems.push(problem);
      // Trust is checked at every load, also for the kept skills of a failed source.
      const found = reading.kind === "folders" ? folders.candidates(reading.found) : reading.candidates;
      for (const candidate of found) candidates.push(candidate);
    }
    folders.close();
    const profile = this.#profile;
    const filtered = profile === undefined ? candidates : await profile.filter(candidates);
    const { requirements = true } = this.#options;
    const selected = selectSkills(
      requirements ? await this.#platform.findUnmet(filtered, signal) : filtered,
      profile === undefined ? this.#options : profile.narrow(this.#options),
      this.#host,
    );
    const inner = this.#sources.flatMap((one) => (one instanceof Skillset ? [this.#inner.get(one) ?? one] : []));
    const settings = mergeSettings(
      this.#settings,
      inner.map(({ settings: one }) => ({ ...one, hosts: one.hosts?.map((host) => this.#narrow(host)) })),
    );
    const unknown = unknownPins(this.#settings, selected.entries);
    const found = [...this.#opened, ...standing(problems, selected), ...selected.problems, ...unknown];
    this.#report(found);
    return makeSkillset({ ...selected, problems: found, settings, loader: this });
  }

  /** Does not repeat problems of the previous load. */
  #report(problems: readonly Problem[]): void {
    const heard = problems.filter((problem) => isHeard(this.#onProblem, problem));
    const byKey = new Map(heard.map((problem) => [JSON.stringify(problem), problem]));
    const fresh = [...byKey].filter(([key]) => !this.#reported.has(key)).map(([, problem]) => problem);
    this.#reported = new Set(byKey.keys());
    reportProblems(fresh, this.#onProblem);
  }

  reload(options: ReloadOptions): Promise<Skillset> {
    return this.load(options);
  }

  watch(current: Skillset, listener: WatchListener, options: WatchOptions): SkillsetWatcher {
    const places = this.#platform.watch?.(this.#sources);
    let stopped = false;
    let inner: SkillsetWatcher | undefined;
    // Loaded on demand: few callers watch.
    const opened = import("./watch-skillset.ts").then(async ({ watchSkillset }) => {
      const sources = this.#sources.flatMap((one): readonly WatchedSource[] => {
        if (one instanceof Skillset) return [{ watch: (onChange) => one.watch(onChange, options) }];
        return isSource(one) ? [one] : [];
      });
      const watched = { places: await places, sources };
      if (stopped) return;
      inner = watchSkillset(current, watched, listener, options);
      await inner.ready;
    });
    return {
      get current() {
        return inner?.current ?? current;
      },
      ready: opened,
      close: async () => {
        stopped = true;
        await opened.catch(() => {});
        await inner?.close();
      },
    };
  }

  /** A source that fails later keeps its last result. Only a path that fails on the first load throws. */
  async #readSource(source: SkillInput, run: Run<Found>): Promise<SourceReading<Found>> {
    const before = this.#lastGood.get(source);
    try {
      const reading = await this.#readFresh(source, run);
      this.#lastGood.set(source, reading);
      return reading;
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      if (before === undefined && isSource(source) && error.code === "source-unreadable") return unreadable(error);
      if (before === undefined) throw error;
      const problem: Problem = {
        code: "source-kept",
        severity: "warning",
        message: `${error.message} Its previous skills are kept.`,
        fix: "Make the source readable again, or load the skills without it.",
      };
      return { ...before, problems: [...before.problems, problem] };
    }
  }

  async #readFresh(source: SkillInput, { folders, reading }: Run<Found>): Promise<SourceReading<Found>> {
    if (source instanceof Skillset)
      return {
        kind: "candidates",
        ...readSkillset(await this.#reloadInner(source, reading), (host) => this.#narrow(host)),
      };
    if (isSkill(source)) return { kind: "candidates", candidates: [{ kind: "skill", skill: source }], problems: [] };
    if (isSource(source)) return this.#readListing(source, reading);
    return { kind: "folders", ...(await folders.read(source as FolderInput)) };
  }

  /** A profile applies to the whole program, so also to hosts that others have set up. */
  #narrow(host: SkillHost): SkillHost {
    const narrowed = this.#narrowed.get(host) ?? this.#profile?.narrowHost(host) ?? host;
    this.#narrowed.set(host, narrowed);
    return narrowed;
  }

  async #readListing(source: SkillSource, reading: ReloadOptions): Promise<SourceReading<Found>> {
    const before = this.#lastGood.get(source);
    const known = before?.kind === "listing" ? before : undefined;
    // Loaded on demand: most programs load skills from folders only.
    const { readSource } = await import("../source/read-source.ts");
    return { kind: "listing", ...(await readSource(source, { ...reading, policy: this.#policy, known })) };
  }

  /** Reloads a skillset among the sources together with this one. */
  async #reloadInner(source: Skillset, reading: ReloadOptions): Promise<Skillset> {
    const current = this.#inner.get(source);
    const next = current === undefined ? source : (await current.reload(reading)).skillset;
    this.#inner.set(source, next);
    return next;
  }
}

/** A failed source must not affect the others. */
function unreadable({ message }: SkillError): SourceReading<never> {
  const fix = "Make the source readable, then reload.";
  const problem: Problem = { code: "source-unreadable", severity: "error", message, fix };
  return { kind: "candidates", candidates: [], problems: [problem] };
}
