import { setImmediate } from "node:timers/promises";
import { SkillError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import { type Policy, resolvePolicy } from "../core/policy.ts";
import type { Problem } from "../core/problem.ts";
import { type Candidate, selectSkills } from "../core/select.ts";
import { isStored, type Skill } from "../core/skill.ts";
import {
  type ReloadOptions,
  Skillset,
  type SkillsetLoader,
  type SkillsetWatcher,
  type WatchListener,
  type WatchOptions,
} from "../core/skillset.ts";
import type { CreateSkillsetOptions } from "./create-skillset.ts";
import { expandGlob, isGlob } from "./globs.ts";
import type { FolderReading } from "./read-skill-folder.ts";
import { type ScanSource, scan } from "./scan.ts";
import { type FolderSource, resolvePath, type SkillSource } from "./sources.ts";
import { checkTrust, type TrustRecord, type TrustState, TrustStore } from "./trust.ts";

/** What one source gave the last time that it could be read. */
interface SourceReading {
  readonly candidates: readonly Candidate[];
  readonly problems: readonly Problem[];
}

interface Run {
  readonly failed: Set<string>;
  readonly readings: Map<string, FolderReading>;
  readonly trusted: () => ReadonlyMap<string, TrustRecord>;
  readonly problems: Problem[];
  readonly pause: Pause;
}

/** Reads the sources of a skillset, and reads them again. */
export class SourceLoader implements SkillsetLoader {
  readonly #sources: readonly SkillSource[];
  readonly #options: CreateSkillsetOptions;
  readonly #policy: Policy;
  readonly #cwd: string;
  readonly #lastGood = new Map<SkillSource, SourceReading>();
  #readings: ReadonlyMap<string, FolderReading> = new Map();

  constructor(
    sources: readonly SkillSource[],
    { signal: _signal, onProgress: _onProgress, ...options }: CreateSkillsetOptions,
  ) {
    this.#sources = sources;
    this.#options = options;
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
    };
    signal?.throwIfAborted();
    const candidates: Candidate[] = [];
    for (const source of this.#sources) {
      const reading = await this.#readSource(source, run);
      for (const candidate of reading.candidates) candidates.push(candidate);
      for (const problem of reading.problems) problems.push(problem);
    }
    this.#readings = run.readings;
    const selection = selectSkills(candidates, this.#options);
    return new Skillset({ ...selection, problems: [...problems, ...selection.problems] }, this);
  }

  reload(options: ReloadOptions): Promise<Skillset> {
    return this.load(options);
  }

  watch(current: Skillset, listener: WatchListener, options: WatchOptions): SkillsetWatcher {
    const paths = this.#sources.flatMap((source) => this.#watchedPath(source) ?? []);
    let stopped = false;
    let inner: SkillsetWatcher | undefined;
    // Loaded here: the file watcher is the heaviest part of this module, and few callers watch.
    const opened = import("./watch.ts").then(async ({ watchSkillset }) => {
      if (stopped) return;
      inner = watchSkillset(current, paths, listener, options);
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

  /** A source that fails after it has been read once keeps what it gave then. */
  async #readSource(source: SkillSource, run: Run): Promise<SourceReading> {
    const before = this.#lastGood.get(source);
    try {
      const reading = await this.#readFresh(source, run);
      this.#lastGood.set(source, reading);
      return reading;
    } catch (error) {
      if (before === undefined || !(error instanceof SkillError)) throw error;
      const problem: Problem = {
        code: "source-kept",
        severity: "warning",
        message: `${error.message} Its skills are kept as they were.`,
      };
      return { candidates: before.candidates, problems: [...before.problems, problem] };
    }
  }

  async #readFresh(source: SkillSource, run: Run): Promise<SourceReading> {
    if (source instanceof Skillset) return readSkillset(source);
    if (isSkill(source)) return { candidates: [{ kind: "skill", skill: source }], problems: [] };
    const folder = typeof source === "string" ? { path: source } : source;
    if (typeof folder?.path !== "string" || folder.path === "") {
      throw new SkillError(
        "option-invalid",
        `A source must be a path, a skill or a skillset; got ${JSON.stringify(source)}.`,
      );
    }
    const candidates: Candidate[] = [];
    const problems: Problem[] = [];
    for (const place of await this.#expand(folder)) await this.#readFolder(place, run, candidates, problems);
    return { candidates, problems };
  }

  async #expand(folder: FolderSource): Promise<readonly ScanSource[]> {
    const { recursive = 1 } = this.#options;
    const depth = folder.depth ?? (recursive === true ? LIMITS.hard.scanDepth : Number(recursive || 1));
    const settings = {
      scope: folder.scope ?? "given",
      optional: folder.optional ?? false,
      needsTrust: folder.needsTrust ?? false,
      depth,
    };
    const path = resolvePath(folder.path, this.#cwd);
    if (!isGlob(folder.path)) return [{ path, ...settings }];
    const found = await expandGlob(folder.path, this.#cwd);
    if (found.length === 0 && !settings.optional)
      throw new SkillError("source-not-found", `No folder matches '${folder.path}'.`);
    return found.map((match) => ({ path: match, ...settings }));
  }

  async #readFolder(place: ScanSource, run: Run, candidates: Candidate[], problems: Problem[]): Promise<void> {
    const { readings, failed, pause } = run;
    const onReading = (folder: string, reading: FolderReading): void => {
      candidates.push(place.needsTrust ? lock(folder, reading, run.trusted(), problems) : reading.candidate);
      for (const problem of reading.problems) problems.push(problem);
    };
    const context = { policy: this.#policy, problems, readings, failed, known: this.#readings, onReading };
    try {
      for (const _ of scan(place, context)) if (pause.isDue()) await pause.take(readings.size);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof SkillError || typeof code !== "string" || !code.startsWith("E")) throw error;
      throw new SkillError("source-unreadable", `'${place.path}' cannot be read (${code}).`, { cause: error });
    }
  }

  /** Read at most once a load, and only when a source needs it. */
  #readTrust(problems: Problem[]): () => ReadonlyMap<string, TrustRecord> {
    let records: ReadonlyMap<string, TrustRecord> | undefined;
    return () => {
      if (records === undefined) {
        const store = this.#options.trustStore ?? new TrustStore();
        try {
          records = store.read();
        } catch (error) {
          if (!(error instanceof SkillError)) throw error;
          problems.push({ code: "source-unreadable", severity: "warning", message: error.message, path: store.path });
          records = new Map();
        }
      }
      return records;
    };
  }

  #watchedPath(source: SkillSource): string | undefined {
    if (source instanceof Skillset || isSkill(source)) return undefined;
    const { path } = typeof source === "string" ? { path: source } : source;
    const end = path.search(/[*?[\]{}!]/);
    return resolvePath(end === -1 ? path : path.slice(0, path.lastIndexOf("/", end) + 1) || ".", this.#cwd);
  }
}

/** Lets other work run every few milliseconds: reading in slices is far quicker than awaiting each file. */
class Pause {
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: ((found: number) => void) | undefined;
  #due = performance.now() + SLICE;

  constructor(signal: AbortSignal | undefined, onProgress: ((found: number) => void) | undefined) {
    this.#signal = signal;
    this.#onProgress = onProgress;
  }

  isDue(): boolean {
    return performance.now() > this.#due;
  }

  async take(found: number): Promise<void> {
    this.#onProgress?.(found);
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#due = performance.now() + SLICE;
  }
}

const SLICE = 12;

function isSkill(source: SkillSource): source is Skill {
  return typeof source === "object" && "instructions" in source && "origin" in source;
}

/** Another set's skills, with their locks and what was wrong with them. */
function readSkillset({ entries, problems }: Skillset): SourceReading {
  const candidates = entries.flatMap((entry): Candidate[] => {
    if (entry.status === "enabled") return [{ kind: "skill", skill: entry.skill }];
    if (entry.status === "locked") return [{ kind: "skill", skill: entry.skill, locked: entry.reason }];
    return entry.status === "invalid"
      ? [{ kind: "invalid", name: entry.name, origin: entry.origin, reason: entry.reason }]
      : [];
  });
  return { candidates, problems };
}

const LOCKED: Readonly<Record<Exclude<TrustState, "trusted">, string>> = {
  new: "not trusted yet: run 'skillset trust' in the project",
  changed: "changed since it was trusted: look at it, then run 'skillset trust' again",
  "too-large": "too large to be trusted",
};

function lock(
  folder: string,
  reading: FolderReading,
  trusted: ReadonlyMap<string, TrustRecord>,
  problems: Problem[],
): Candidate {
  const { candidate } = reading;
  if (candidate.kind === "invalid") return candidate;
  const state = checkTrust(folder, trusted.get(folder));
  if (state === "trusted") return candidate;
  const locked = LOCKED[state];
  const { skill } = candidate;
  problems.push({
    code: "skill-locked",
    severity: "warning",
    message: `'${skill.name}' is locked: ${locked}.`,
    skill: skill.name,
    ...(isStored(skill) && { path: skill.basePath }),
    fix: "Read the skill, then run 'skillset trust'.",
  });
  return { kind: "skill", skill, locked };
}
