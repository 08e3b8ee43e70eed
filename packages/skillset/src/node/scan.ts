import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { SkillError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import type { Policy } from "../core/policy.ts";
import type { Problem, ProblemCode } from "../core/problem.ts";
import type { SkillScope } from "../core/skill.ts";
import { isWithin } from "./contained-read.ts";
import { type FolderPlace, type FolderReading, readSkillFolder } from "./read-skill-folder.ts";

export interface ScanSource {
  /** Absolute. */
  readonly path: string;
  readonly scope: SkillScope;
  readonly optional: boolean;
  readonly depth: number;
  readonly needsTrust: boolean;
}

export interface ScanContext {
  readonly policy: Policy;
  readonly problems: Problem[];
  /** What this load has read so far, by real folder: the same place seen twice is one skill. */
  readonly readings: Map<string, FolderReading>;
  /** Places that were looked at in vain. */
  readonly failed: Set<string>;
  /** What an earlier load read, by folder. */
  readonly known: ReadonlyMap<string, FolderReading>;
  /** Told of each skill folder, valid or not. */
  readonly onReading: (folder: string, reading: FolderReading) => void;
}

/**
 * Finds the skills of one source, in a bounded walk, always in the same order. Yields now and then, so that the caller
 * may pause.
 */
export function* scan(source: ScanSource, context: ScanContext): Generator<void> {
  const stats = statSync(source.path, { throwIfNoEntry: false });
  if (stats === undefined) {
    if (!source.optional) throw new SkillError("source-not-found", `No skills at '${source.path}': it does not exist.`);
    if (context.failed.has(source.path)) return;
    context.failed.add(source.path);
    const severity = source.scope === "given" ? "warning" : "info";
    context.problems.push({
      code: "source-missing",
      severity,
      message: `The folder '${source.path}' does not exist.`,
      path: source.path,
    });
    return;
  }
  const given = skillFolder(source.path, stats);
  const root = realpathSync(given);
  if (context.readings.has(root)) return;
  const isSkill = readOnce({ folder: root, name: basename(given), root, scope: source.scope }, context);
  if (!isSkill) yield* new FolderScan(source, root, context).run();
}

/** The folder that a path stands for: itself, or the one around a SKILL.md. */
function skillFolder(path: string, stats: Stats): string {
  if (stats.isDirectory()) return path;
  if (basename(path) === "SKILL.md") return dirname(path);
  throw new SkillError("source-not-found", `'${path}' is neither a folder nor a SKILL.md.`);
}

/** Whether there is a skill in the folder that was not seen before. */
function readOnce(place: FolderPlace, { policy, readings, known, onReading }: ScanContext): boolean {
  const reading = readSkillFolder(place, policy, known.get(place.folder));
  if (reading === undefined) return false;
  readings.set(place.folder, reading);
  onReading(place.folder, reading);
  return true;
}

/** Often enough that nothing waits for long, seldom enough to cost nothing. */
const STEPS_A_PAUSE = 16;
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);

class FolderScan {
  readonly #source: ScanSource;
  readonly #root: string;
  readonly #context: ScanContext;
  #opened = 0;
  #found = 0;

  constructor(source: ScanSource, root: string, context: ScanContext) {
    this.#source = source;
    this.#root = root;
    this.#context = context;
  }

  /** Level by level, so that a huge folder does not keep its neighbours from being found. */
  *run(): Generator<void> {
    const depth = Math.min(this.#source.depth, LIMITS.hard.scanDepth);
    let steps = 0;
    let level = [this.#root];
    for (let below = depth - 1; level.length > 0; below--) {
      const next: string[] = [];
      for (const folder of level) {
        for (const entry of this.#open(folder)) {
          this.#look(entry, folder, below > 0 ? next : undefined);
          if (++steps % STEPS_A_PAUSE === 0) yield;
        }
      }
      level = next;
    }
    if (this.#found === 0) this.#noteEmpty();
  }

  /** Reads the skill that the entry is; without one, puts the folder on the list to be opened, if there is one. */
  #look(entry: Dirent, folder: string, next: string[] | undefined): void {
    if (SKIPPED.has(entry.name)) return;
    const path = folder + sep + entry.name;
    const real = entry.isDirectory() ? path : entry.isSymbolicLink() ? this.#follow(path, folder) : undefined;
    if (real === undefined || this.#context.readings.has(real) || this.#context.failed.has(real)) return;
    try {
      if (readOnce({ folder: real, name: entry.name, root: this.#root, scope: this.#source.scope }, this.#context)) {
        this.#found++;
      } else if (next !== undefined && entry.isDirectory()) {
        next.push(real);
      } else {
        this.#noteMisnamed(real);
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.#context.failed.add(real);
      this.#report("skill-md-unreadable", "error", `'${entry.name}' cannot be read (${code}).`, real);
    }
  }

  /** A link directly in the source is followed when the source is trusted, or when it stays inside. */
  #follow(path: string, folder: string): string | undefined {
    if (folder !== this.#root) return undefined;
    try {
      const target = realpathSync(path);
      if (!statSync(target).isDirectory()) return undefined;
      if (!this.#source.needsTrust || isWithin(this.#root, target)) return target;
      this.#report(
        "link-outside",
        "info",
        `'${basename(path)}' is a link that leaves its folder; it is not followed in a project.`,
        path,
      );
    } catch {
      this.#report("link-broken", "warning", `'${basename(path)}' is a link to nothing, or to itself.`, path);
    }
    return undefined;
  }

  #open(folder: string): Dirent[] {
    if (++this.#opened > LIMITS.hard.scannedFolders) {
      if (this.#opened === LIMITS.hard.scannedFolders + 1) {
        this.#report(
          "scan-limit",
          "warning",
          `The scan of '${this.#root}' stopped after ${LIMITS.hard.scannedFolders} folders without a skill.`,
          this.#root,
          "Name the folders of skills themselves.",
        );
      }
      return [];
    }
    try {
      return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (folder === this.#root)
        throw new SkillError("source-unreadable", `'${folder}' cannot be read (${code}).`, { cause: error });
      this.#report("source-unreadable", "warning", `'${folder}' cannot be read (${code}).`, folder);
      return [];
    }
  }

  #noteEmpty(): void {
    this.#noteMisnamed(this.#root);
    const { path, scope } = this.#source;
    const severity = scope === "given" ? "warning" : "info";
    this.#report("source-empty", severity, `'${path}' holds no skill: no SKILL.md in it or in its folders.`, path);
  }

  /** A SKILL.md in other letters is the likeliest reason for a skill that is missed. */
  #noteMisnamed(folder: string): void {
    const misnamed = this.#open(folder).find(
      ({ name }) => name !== "SKILL.md" && /^skills?\.(?:md|markdown)$/i.test(name),
    );
    if (misnamed === undefined || lstatSync(join(folder, "SKILL.md"), { throwIfNoEntry: false })?.isFile()) return;
    this.#report(
      "skill-md-misnamed",
      "warning",
      `'${misnamed.name}' is not read: the file must be called SKILL.md.`,
      join(folder, misnamed.name),
      `Rename '${misnamed.name}' to 'SKILL.md'.`,
    );
  }

  #report(code: ProblemCode, severity: Problem["severity"], message: string, path: string, fix?: string): void {
    this.#context.problems.push({ code, severity, message, path, ...(fix !== undefined && { fix }) });
  }
}
