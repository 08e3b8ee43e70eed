import { existsSync } from "node:fs";
import { INLINED_SKILLS } from "../../bundled-skills/bundled-skills.ts";
import { SkillError } from "../../core/base/errors.ts";
import { DEFAULTS, LIMITS } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import { type Policy, resolvePolicy } from "../../core/manifest/policy.ts";
import { SharedIndex } from "../../core/search/shared-index.ts";
import {
  type ReloadOptions,
  Skillset,
  type SkillsetLoader,
  type SkillsetParts,
  type SkillsetWatcher,
  type WatchListener,
  type WatchOptions,
} from "../../core/skillset.ts";
import type { SourceListing } from "../../core/source/read-source.ts";
import { type SkillCandidate, selectSkills } from "../../core/source/select.ts";
import { isSource, type SkillSource } from "../../core/source/source.ts";
import type { OpenedScripts } from "../../scripts/open-scripts.ts";
import { Pause } from "../files/pause.ts";
import { withUnmet } from "../requirements/with-unmet.ts";
import type { FolderReading } from "../skill-folder/read-skill-folder.ts";
import { lock } from "../trust/lock.ts";
import { type TrustRecord, TrustStore } from "../trust/trust.ts";
import type { AppliedProfile } from "./apply-profile.ts";
import { catalogDefaultsOf, unknownPins } from "./catalog-defaults.ts";
import type { CreateSkillsetOptions } from "./create-skillset.ts";
import { expandGlob, splitGlob } from "./globs.ts";
import { readSkillset } from "./read-skillset.ts";
import { isHeard, type ProblemListener, warnOfProblem } from "./report-problems.ts";
import { NAME_FOLDERS, type ScanSource, scan } from "./scan.ts";
import { isSkill, toFolderSource } from "./skill-input.ts";
import { type FolderSource, resolvePath, type SkillInput } from "./sources.ts";
import { standing } from "./standing-problems.ts";
import { toolRulesOf } from "./tool-rules-of.ts";
import { notRead } from "./unread-skills.ts";

/** The last successful result of a source. */
type SourceReading =
  | {
      readonly kind: "candidates";
      readonly candidates: readonly SkillCandidate[];
      readonly problems: readonly Problem[];
    }
  | ({ readonly kind: "listing" } & SourceListing)
  | { readonly kind: "folders"; readonly found: readonly Found[]; readonly problems: readonly Problem[] };

/** The skill folders of one source, and whether their content must be trusted. */
interface Found {
  readonly readings: FolderReading[];
  readonly needsTrust: boolean;
}

interface Run {
  readonly failed: Set<string>;
  readonly readings: Map<string, FolderReading>;
  readonly trusted: () => ReadonlyMap<string, TrustRecord>;
  readonly problems: Problem[];
  readonly pause: Pause;
  readonly reading: ReloadOptions;
}

/** What is opened before the skills are loaded. */
interface SourceLoaderParts extends Pick<SkillsetParts, "toolsets" | "index" | "embedder"> {
  readonly scripts?: OpenedScripts | undefined;
  readonly profile?: AppliedProfile | undefined;
}

/** Loads and reloads the sources of a skillset. */
export class SourceLoader implements SkillsetLoader {
  readonly #sources: readonly SkillInput[];
  readonly #options: CreateSkillsetOptions;
  readonly #policy: Policy;
  readonly #cwd: string;
  readonly #lastGood = new Map<SkillInput, SourceReading>();
  readonly #inner = new Map<Skillset, Skillset>();
  readonly #scripts: OpenedScripts;
  readonly #profile: AppliedProfile | undefined;
  readonly #parts: SkillsetParts;
  readonly #onProblem: ProblemListener;
  #readings: ReadonlyMap<string, FolderReading> = new Map();
  #reported: ReadonlySet<string> = new Set();

  constructor(
    sources: readonly SkillInput[],
    { signal: _signal, onProgress: _onProgress, onProblem = warnOfProblem, ...options }: CreateSkillsetOptions,
    { scripts = { problems: [] }, profile, toolsets, embedder, index = new SharedIndex() }: SourceLoaderParts = {},
  ) {
    this.#scripts = scripts;
    this.#profile = profile;
    this.#parts = { loader: this, scripts: scripts.host, toolsets, embedder, index };
    this.#sources = sources;
    this.#options = options;
    this.#onProblem = onProblem;
    this.#policy = resolvePolicy(options);
    this.#cwd = options.cwd ?? process.cwd();
  }

  async load({ signal, onProgress }: Pick<CreateSkillsetOptions, "signal" | "onProgress"> = {}): Promise<Skillset> {
    const problems: Problem[] = [];
    const run: Run = {
      failed: new Set(),
      readings: new Map(),
      problems,
      trusted: this.#readTrust(problems),
      pause: new Pause(signal, onProgress),
      reading: signal === undefined ? {} : { signal },
    };
    signal?.throwIfAborted();
    const candidates: SkillCandidate[] = [];
    for (const source of this.#sources) {
      const reading = await this.#readSource(source, run);
      for (const problem of reading.problems) problems.push(problem);
      // Trust is checked at every load, also for the kept skills of a failed source.
      if (reading.kind === "folders") for (const found of reading.found) this.#addFolders(found, candidates, run);
      else for (const candidate of reading.candidates) candidates.push(candidate);
    }
    this.#readings = run.readings;
    const profile = this.#profile;
    const filtered = profile === undefined ? candidates : await profile.filter(candidates);
    const selected = selectSkills(
      await withUnmet(filtered, { ...this.#options, cwd: this.#cwd, signal }),
      profile === undefined ? this.#options : profile.narrow(this.#options),
    );
    const opened = [...this.#scripts.problems, ...(profile?.problems ?? [])];
    const catalogDefaults = catalogDefaultsOf(this.#options, profile);
    const unknown = unknownPins(catalogDefaults, selected.skills);
    const found = [...opened, ...standing(problems, selected), ...selected.problems, ...unknown];
    this.#report(found);
    const selection = { ...selected, problems: found, catalogDefaults };
    const toolRules = toolRulesOf(this.#sources, this.#options, profile?.allowedTools);
    return new Skillset(selection, { ...this.#parts, toolRules });
  }

  /** Does not repeat problems of the previous load. */
  #report(problems: readonly Problem[]): void {
    const keys = new Set<string>();
    for (const problem of problems) {
      if (!isHeard(this.#onProblem, problem)) continue;
      const key = JSON.stringify(problem);
      if (!keys.has(key) && !this.#reported.has(key)) this.#onProblem(problem);
      keys.add(key);
    }
    this.#reported = keys;
  }

  reload(options: ReloadOptions): Promise<Skillset> {
    return this.load(options);
  }

  watch(current: Skillset, listener: WatchListener, options: WatchOptions): SkillsetWatcher {
    const paths = this.#watchedPaths();
    let stopped = false;
    let inner: SkillsetWatcher | undefined;
    // Loaded on demand: the file watcher is the heaviest part of this module, and few callers watch.
    const opened = import("../watch/watch.ts").then(async ({ watchSkillset }) => {
      if (stopped) return;
      inner = watchSkillset(current, { paths, sources: this.#sources.filter(isSource) }, listener, options);
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
  async #readSource(source: SkillInput, run: Run): Promise<SourceReading> {
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

  async #readFresh(source: SkillInput, run: Run): Promise<SourceReading> {
    if (source instanceof Skillset)
      return { kind: "candidates", ...readSkillset(await this.#reloadInner(source, run.reading)) };
    if (isSkill(source)) return { kind: "candidates", candidates: [{ kind: "skill", skill: source }], problems: [] };
    if (isSource(source)) return this.#readListing(source, run, this.#lastGood.get(source));
    const folder = toFolderSource(source);
    if (folder.path === INLINED_SKILLS) {
      // Loaded on demand: the copy of the bundled skills is large, and only bundled programs need it.
      const { inlinedSkills } = await import("../../bundled-skills/inlined-skills.ts");
      return this.#readListing(inlinedSkills, run, this.#lastGood.get(source));
    }
    const found: Found[] = [];
    const problems: Problem[] = [];
    for (const place of await this.#expand(folder, source, problems))
      await this.#readFolder(place, run, found, problems);
    return { kind: "folders", found, problems };
  }

  async #readListing(source: SkillSource, run: Run, before: SourceReading | undefined): Promise<SourceReading> {
    const known = before?.kind === "listing" ? before : undefined;
    // Loaded on demand: most programs load skills from folders only.
    const { readSource } = await import("../../core/source/read-source.ts");
    return { kind: "listing", ...(await readSource(source, { ...run.reading, policy: this.#policy, known })) };
  }

  /** Reloads a skillset among the sources together with this one. */
  async #reloadInner(source: Skillset, reading: ReloadOptions): Promise<Skillset> {
    const current = this.#inner.get(source);
    const next = current === undefined ? source : (await current.reload(reading)).skillset;
    this.#inner.set(source, next);
    return next;
  }

  /** Only a string can be a pattern. The path of a folder with settings, such as a scope, is taken literally. */
  async #expand(folder: FolderSource, source: SkillInput, problems: Problem[]): Promise<readonly ScanSource[]> {
    const { recursive = DEFAULTS.scanDepth } = this.#options;
    const depth = folder.depth ?? (recursive === true ? LIMITS.hard.scanDepth : Number(recursive || 1));
    const scope = folder.scope ?? "given";
    const needsTrust = folder.needsTrust ?? scope === "project";
    const settings = { scope, needsTrust, depth, within: folder.within };
    const path = resolvePath(folder.path, this.#cwd);
    const pattern = typeof source === "string" && !existsSync(path) ? splitGlob(source) : undefined;
    if (pattern === undefined) return [{ path, ...settings, optional: folder.optional ?? false, quiet: false }];
    const base = resolvePath(pattern.base, this.#cwd);
    const { paths, isCut, deeper } = await expandGlob(base, pattern.glob);
    if (paths.length === 0) throw new SkillError("source-not-found", `No folder matches '${folder.path}'.`);
    const cut = isCut
      ? `The scan of '${folder.path}' stopped after ${LIMITS.hard.scannedFolders} folders without a skill.`
      : deeper.count > 0 &&
        `${notRead(deeper, base)}: '**' in '${folder.path}' searches ${LIMITS.hard.scanDepth} levels deep.`;
    if (cut) problems.push({ code: "scan-limit", severity: "warning", message: cut, fix: NAME_FOLDERS });
    return paths.map((match) => ({ path: match, ...settings, optional: true, quiet: true }));
  }

  async #readFolder(place: ScanSource, run: Run, found: Found[], problems: Problem[]): Promise<void> {
    const { readings, failed, pause } = run;
    const here: FolderReading[] = [];
    found.push({ readings: here, needsTrust: place.needsTrust });
    const onReading = (reading: FolderReading, isFirst: boolean): void => {
      here.push(reading);
      if (isFirst) for (const problem of reading.problems) problems.push(problem);
    };
    const context = { policy: this.#policy, problems, readings, failed, known: this.#readings, onReading };
    for (const _ of scan(place, context)) if (pause.isDue()) await pause.take(readings.size);
  }

  #addFolders({ readings, needsTrust }: Found, candidates: SkillCandidate[], { trusted, problems }: Run): void {
    for (const reading of readings) {
      if (!needsTrust) candidates.push(reading.candidate);
      else candidates.push(lock(reading, trusted().get(reading.origin.folder), { policy: this.#policy, problems }));
    }
  }

  /** Reads the trust store at most once per load, and only if a source needs it. */
  #readTrust(problems: Problem[]): () => ReadonlyMap<string, TrustRecord> {
    let records: ReadonlyMap<string, TrustRecord> | undefined;
    return () => {
      try {
        records ??= (this.#options.trustStore ?? new TrustStore()).read();
      } catch (error) {
        if (!(error instanceof SkillError)) throw error;
        const fix = "Check the permissions of the file, or remove it and run 'skillset trust' again.";
        problems.push({ code: "source-unreadable", severity: "warning", message: error.message, fix });
        records = new Map();
      }
      return records;
    };
  }

  /** Returns the paths to watch: folders, and the trust store's file. */
  #watchedPaths(): string[] {
    const paths: string[] = [];
    for (const source of this.#sources) {
      if (source instanceof Skillset || isSkill(source) || isSource(source)) continue;
      const { path, scope, needsTrust = scope === "project" } = toFolderSource(source);
      if (path === INLINED_SKILLS) continue;
      paths.push(resolvePath(splitGlob(path)?.base ?? path, this.#cwd));
      if (needsTrust) paths.push((this.#options.trustStore ?? new TrustStore()).path);
    }
    return [...new Set(paths)];
  }
}

/** A failed source must not affect the others. */
function unreadable({ message }: SkillError): SourceReading {
  const fix = "Make the source readable, then reload.";
  const problem: Problem = { code: "source-unreadable", severity: "error", message, fix };
  return { kind: "candidates", candidates: [], problems: [problem] };
}
