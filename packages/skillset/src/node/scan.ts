import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { SkillError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import type { Policy } from "../core/policy.ts";
import type { Problem, ProblemCode } from "../core/problem.ts";
import type { SkillScope } from "../core/skill.ts";
import { isWithin } from "./contained-read.ts";
import { type FolderReading, readSkillFolder } from "./read-skill-folder.ts";

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
  /** Real folders that an earlier source gave already: the same place seen twice is one skill. */
  readonly seen: Set<string>;
  /** What an earlier load read, by folder. */
  readonly known: ReadonlyMap<string, FolderReading>;
}

/** One step of a scan: the skill folder that was read, or nothing but a chance to pause. */
export type ScanStep = { readonly folder: string; readonly reading: FolderReading } | undefined;

/** Finds the skills of one source, in a bounded walk, always in the same order. */
export function* scan(source: ScanSource, context: ScanContext): Generator<ScanStep> {
  const stats = statSync(source.path, { throwIfNoEntry: false });
  if (stats === undefined) {
    if (!source.optional) throw new SkillError("source-not-found", `No skills at '${source.path}': it does not exist.`);
    if (context.seen.has(source.path)) return;
    context.seen.add(source.path);
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
  const single = readOnce({ ...source, root, folder: root, name: basename(given) }, context);
  if (single !== undefined) yield single;
  else if (!context.seen.has(root)) yield* new FolderScan(source, root, context).run();
}

/** The folder that a path stands for: itself, or the one around a SKILL.md. */
function skillFolder(path: string, stats: Stats): string {
  if (stats.isDirectory()) return path;
  if (basename(path) === "SKILL.md") return dirname(path);
  throw new SkillError("source-not-found", `'${path}' is neither a folder nor a SKILL.md.`);
}

interface Place {
  readonly folder: string;
  readonly name: string;
  readonly root: string;
  readonly scope: SkillScope;
}

function readOnce({ folder, name, root, scope }: Place, { policy, seen, known }: ScanContext): ScanStep {
  if (seen.has(folder)) return undefined;
  const reading = readSkillFolder({ folder, name, root, scope }, policy, known.get(folder));
  if (reading === undefined) return undefined;
  seen.add(folder);
  return { folder, reading };
}

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
  *run(): Generator<ScanStep> {
    const depth = Math.min(this.#source.depth, LIMITS.hard.scanDepth);
    let level = [this.#root];
    for (let below = depth - 1; level.length > 0; below--) {
      const next: string[] = [];
      for (const folder of level) yield* this.#scanFolder(folder, below, next);
      level = next;
    }
    if (this.#found === 0) {
      this.#noteMisnamed(this.#root);
      const severity = this.#source.scope === "given" ? "warning" : "info";
      this.#report(
        "source-empty",
        severity,
        `'${this.#source.path}' holds no skill: no SKILL.md in it or in its folders.`,
        this.#source.path,
      );
    }
  }

  *#scanFolder(folder: string, below: number, next: string[]): Generator<ScanStep> {
    for (const entry of this.#open(folder)) {
      if (SKIPPED.has(entry.name)) continue;
      const path = folder + sep + entry.name;
      const real = entry.isDirectory() ? path : entry.isSymbolicLink() ? this.#follow(path, folder) : undefined;
      if (real === undefined) continue;
      const step = this.#read(real, entry.name);
      if (step !== undefined) {
        this.#found++;
        yield step;
      } else if (!this.#context.seen.has(real)) {
        if (below > 0 && entry.isDirectory()) next.push(real);
        else this.#noteMisnamed(real);
        yield undefined;
      }
    }
  }

  #read(folder: string, name: string): ScanStep {
    try {
      return readOnce({ folder, name, root: this.#root, scope: this.#source.scope }, this.#context);
    } catch (error) {
      this.#report(
        "skill-md-unreadable",
        "error",
        `'${name}' cannot be read (${(error as NodeJS.ErrnoException).code}).`,
        folder,
      );
      this.#context.seen.add(folder);
      return undefined;
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
