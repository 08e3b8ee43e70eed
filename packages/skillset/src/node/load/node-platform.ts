import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import type { ScriptHost } from "../../core/host/script-host.ts";
import type { FolderLoad, Platform, PlatformLoad } from "../../core/load/platform.ts";
import { type FolderInput, isSkill, type SkillInput, toFolderSource } from "../../core/load/skill-input.ts";
import type { PlaceWatcher } from "../../core/load/watch-skillset.ts";
import { Skillset } from "../../core/skillset.ts";
import type { SkillCandidate } from "../../core/source/select.ts";
import { isSource } from "../../core/source/source.ts";
import { compileIgnored, type IsIgnored } from "../files/ignored-folders.ts";
import { Pause } from "../files/pause.ts";
import { realPath } from "../files/real-path.ts";
import { withUnmet } from "../requirements/with-unmet.ts";
import type { FolderReading } from "../skill-folder/read-skill-folder.ts";
import { lock } from "../trust/lock.ts";
import { type TrustRecord, TrustStore } from "../trust/trust.ts";
import type { CreateSkillsetOptions } from "./create-skillset.ts";
import { expandGlob, splitGlob } from "./globs.ts";
import { NAME_FOLDERS, type ScanSource, scan } from "./scan.ts";
import { scanDepth } from "./scan-depth.ts";
import { resolvePath } from "./sources.ts";
import { notRead } from "./unread-skills.ts";

/** The skill folders of one place, and whether their content must be trusted. */
interface Found {
  readonly readings: FolderReading[];
  readonly needsTrust: boolean;
}

/** Folders, programs and the home of the user, as Node shows them. */
export class NodePlatform implements Platform<readonly Found[]> {
  readonly bases: { readonly cwd: string; readonly home: string };
  readonly #options: CreateSkillsetOptions;
  readonly #cwd: string;
  readonly #depth: number;
  readonly #scripts: ScriptHost | undefined;
  #isIgnored: Promise<IsIgnored> | undefined;
  #readings: ReadonlyMap<string, FolderReading> = new Map();

  constructor(options: CreateSkillsetOptions, scripts?: ScriptHost) {
    const { cwd = process.cwd() } = options;
    this.#scripts = scripts;
    this.#options = options;
    this.#cwd = cwd;
    this.#depth = scanDepth(options.recursive);
    this.bases = { cwd: resolve(cwd), home: homedir() };
  }

  open(load: PlatformLoad): FolderLoad<readonly Found[]> {
    const { policy, problems } = load;
    const readings = new Map<string, FolderReading>();
    const failed = new Set<string>();
    const searched = new Set<string>();
    const pause = new Pause(load.signal, load.onProgress);
    const trusted = this.#readTrust(problems);
    const readFolder = async (place: ScanSource, found: Problem[]): Promise<Found> => {
      const here: FolderReading[] = [];
      const onReading = (reading: FolderReading, isFirst: boolean): void => {
        here.push(reading);
        if (isFirst) for (const problem of reading.problems) found.push(problem);
      };
      const context = { policy, problems: found, readings, failed, searched, known: this.#readings, onReading };
      for (const _ of scan(place, context)) if (pause.isDue()) await pause.take(readings.size);
      return { readings: here, needsTrust: place.needsTrust };
    };
    return {
      read: async (source) => {
        const own: Problem[] = [];
        const found: Found[] = [];
        for (const place of await this.#expand(source, own)) found.push(await readFolder(place, own));
        return { found, problems: own };
      },
      candidates: (found) =>
        found.flatMap(({ readings, needsTrust }) =>
          readings.map((reading) =>
            needsTrust ? lock(reading, trusted().get(reading.origin.folder), { policy, problems }) : reading.candidate,
          ),
        ),
      close: () => {
        this.#readings = readings;
      },
    };
  }

  findUnmet(candidates: readonly SkillCandidate[], signal?: AbortSignal): Promise<readonly SkillCandidate[]> {
    return withUnmet(candidates, { env: this.#options.env, cwd: this.#cwd, scripts: this.#scripts, signal });
  }

  async watch(sources: readonly SkillInput[]): Promise<PlaceWatcher> {
    const paths = this.#watchedPaths(sources);
    // Loaded on demand: the file watcher is large.
    const { WatchedPlaces } = await import("../watch/watched-places.ts");
    return (onChange, onError) => new WatchedPlaces(paths, onChange, onError);
  }

  /** Only a string can be a pattern. The path of a folder with settings, such as a scope, is taken literally. */
  async #expand(source: FolderInput, problems: Problem[]): Promise<readonly ScanSource[]> {
    const folder = toFolderSource(source);
    const depth = folder.depth ?? this.#depth;
    const scope = folder.scope ?? "given";
    const needsTrust = folder.needsTrust ?? scope === "project";
    this.#isIgnored ??= compileIgnored(this.#options.ignore ?? [], realPath(this.bases.cwd));
    const isIgnored = await this.#isIgnored;
    const settings = { scope, needsTrust, depth, within: folder.within, isIgnored };
    const path = resolvePath(folder.path, this.#cwd);
    const pattern = typeof source === "string" && !existsSync(path) ? splitGlob(source) : undefined;
    if (pattern === undefined) return [{ path, ...settings, optional: folder.optional ?? false, quiet: false }];
    const base = resolvePath(pattern.base, this.#cwd);
    const { paths, isCut, deeper } = await expandGlob(base, pattern.glob, isIgnored);
    if (paths.length === 0) throw new SkillError("source-not-found", `No folder matches '${folder.path}'.`);
    const cut = isCut
      ? `The scan of '${folder.path}' stopped after ${LIMITS.hard.scannedFolders} folders without a skill.`
      : deeper.count > 0 &&
        `${notRead(deeper, base)}: '**' in '${folder.path}' searches ${LIMITS.hard.scanDepth} levels deep.`;
    if (cut) problems.push({ code: "scan-limit", severity: "warning", message: cut, fix: NAME_FOLDERS });
    return paths.map((match) => ({ path: match, ...settings, optional: true, quiet: true }));
  }

  /** Reads the trust store at most once per load, and only if a source needs it. */
  #readTrust(problems: Problem[]): () => ReadonlyMap<string, TrustRecord> {
    let records: ReadonlyMap<string, TrustRecord> | undefined;
    return () => {
      try {
        records ??= this.#trustStore().read();
      } catch (error) {
        if (!(error instanceof SkillError)) throw error;
        const fix = "Check the permissions of the file, or remove it and run 'skillset trust' again.";
        problems.push({ code: "source-unreadable", severity: "warning", message: error.message, fix });
        records = new Map();
      }
      return records;
    };
  }

  #trustStore(): TrustStore {
    return this.#options.trustStore ?? new TrustStore();
  }

  /** Returns the paths to watch: folders, and the trust store's file. */
  #watchedPaths(sources: readonly SkillInput[]): string[] {
    const paths: string[] = [];
    for (const source of sources) {
      if (source instanceof Skillset || isSkill(source) || isSource(source)) continue;
      const { path, scope, needsTrust = scope === "project" } = toFolderSource(source);
      paths.push(resolvePath(splitGlob(path)?.base ?? path, this.#cwd));
      if (needsTrust) paths.push(this.#trustStore().path);
    }
    return [...new Set(paths)];
  }
}
