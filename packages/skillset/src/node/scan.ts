import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { SkillError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import type { Policy } from "../core/policy.ts";
import type { Problem, ProblemCode } from "../core/problem.ts";
import type { SkillScope } from "../core/skill.ts";
import { isWithin } from "./contained-read.ts";
import { type FolderPlace, type FolderReading, readSkillFolders } from "./read-skill-folder.ts";

export interface ScanSource {
  /** Absolute. */
  readonly path: string;
  readonly scope: SkillScope;
  readonly optional: boolean;
  readonly depth: number;
  readonly needsTrust: boolean;
  /** The folder that the source must not leave through a link. */
  readonly within: string | undefined;
  /** A folder without skills is not worth a word. */
  readonly quiet: boolean;
}

export interface ScanContext {
  readonly policy: Policy;
  readonly problems: Problem[];
  /** What this load has read so far, by real folder. */
  readonly readings: Map<string, FolderReading>;
  /** Sources that were looked at in vain. */
  readonly failed: Set<string>;
  /** What an earlier load read, by folder. */
  readonly known: ReadonlyMap<string, FolderReading>;
  /** Told of each skill folder, valid or not; the same place may come up again through another source. */
  readonly onReading: (reading: FolderReading, isFirst: boolean) => void;
}

/**
 * Finds the skills of one source, in a bounded walk, always in the same order. Yields now and then, so that the caller
 * may pause.
 */
export function* scan(source: ScanSource, context: ScanContext): Generator<void> {
  const place = findRoot(source, context);
  if (place === undefined) return;
  if (!take(place, readFresh([place], context), context)) yield* new FolderScan(source, place.root, context).run();
}

/** The real folder that a source stands for. What is wrong with an optional one is a problem; otherwise it is an error. */
function findRoot(source: ScanSource, context: ScanContext): FolderPlace | undefined {
  const { path, scope, optional } = source;
  const report = (code: "source-missing" | "source-unreadable" | "link-outside", message: string): undefined => {
    if (!optional) throw new SkillError(code === "source-missing" ? "source-not-found" : "source-unreadable", message);
    const isExpected = code === "source-missing" && scope !== "given";
    if (!context.failed.has(path))
      context.problems.push({ code, severity: isExpected ? "info" : "warning", message, path });
    context.failed.add(path);
  };
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return report("source-missing", `No skills at '${path}': it does not exist.`);
    if (!stats.isDirectory() && basename(path) !== "SKILL.md") {
      return report("source-missing", `No skills at '${path}': it is neither a folder nor a SKILL.md.`);
    }
    const given = stats.isDirectory() ? path : dirname(path);
    const root = realpathSync(given);
    if (source.within !== undefined && !isWithin(realpathSync(source.within), root)) {
      return report("link-outside", `'${path}' is a link that leaves its project; it is not followed.`);
    }
    return { folder: root, name: basename(given), root, scope, isGuarded: source.needsTrust };
  } catch (error) {
    if (error instanceof SkillError) throw error;
    return report("source-unreadable", `'${path}' cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** What is in the folders that no source has shown yet, each read once. */
function readFresh(
  places: readonly FolderPlace[],
  { policy, readings, known }: ScanContext,
): ReadonlyMap<string, FolderReading | undefined> {
  const fresh = new Map<string, FolderPlace>();
  // A link may lead to a folder of the same round, which comes first.
  for (const place of places) {
    if (!readings.has(place.folder) && !fresh.has(place.folder)) fresh.set(place.folder, place);
  }
  const found = readSkillFolders([...fresh.values()], policy, known);
  return new Map(Array.from(fresh.keys(), (folder, index) => [folder, found[index]]));
}

/** Whether there is a skill in the folder. One that cannot be read is one too: an invalid one. */
function take(
  { folder }: FolderPlace,
  fresh: ReadonlyMap<string, FolderReading | undefined>,
  { readings, onReading }: ScanContext,
): boolean {
  const earlier = readings.get(folder);
  const reading = earlier ?? fresh.get(folder);
  if (reading === undefined) return false;
  if (earlier === undefined) readings.set(folder, reading);
  onReading(reading, earlier === undefined);
  return true;
}

/** How many folders are read in one round: often enough that nothing waits for long. */
const ROUND = 64;
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);

class FolderScan {
  readonly #source: ScanSource;
  readonly #root: string;
  readonly #context: ScanContext;
  #opened = 0;
  #found = 0;
  #glances = 0;

  constructor(source: ScanSource, root: string, context: ScanContext) {
    this.#source = source;
    this.#root = root;
    this.#context = context;
  }

  /** Level by level, so that a huge folder does not keep its neighbours from being found. */
  *run(): Generator<void> {
    const depth = Math.min(this.#source.depth, LIMITS.hard.scanDepth);
    let level = [this.#root];
    for (let below = depth - 1; level.length > 0; below--) {
      const next: string[] = [];
      for (const folder of level) {
        const entries = this.#open(folder);
        for (let start = 0; start < entries.length; start += ROUND) {
          this.#look(entries.slice(start, start + ROUND), folder, below > 0 ? next : undefined);
          yield;
        }
      }
      level = next;
    }
    if (this.#found === 0 && !this.#source.quiet) this.#noteEmpty();
  }

  /** Reads the skills that the entries are; puts folders without one on the list to be opened, if there is one. */
  #look(entries: readonly Dirent[], parent: string, next: string[] | undefined): void {
    const places = entries.map((entry) => this.#placeOf(entry, parent));
    const fresh = readFresh(places.filter(isPlace), this.#context);
    for (const place of places) {
      if (place === undefined) continue;
      if (!isPlace(place)) this.#context.problems.push(place);
      else if (take(place, fresh, this.#context)) this.#found++;
      // Links are not looked into.
      else if (next !== undefined && place.folder === parent + sep + place.name) next.push(place.folder);
      else if (this.#glances++ < LIMITS.hard.scannedFolders) this.#noteMisnamed(place.folder);
    }
  }

  /** The real folder that an entry stands for, or why it stands for none. */
  #placeOf(entry: Dirent, parent: string): FolderPlace | Problem | undefined {
    const { name } = entry;
    if (SKIPPED.has(name)) return undefined;
    const path = parent + sep + name;
    const folder = entry.isDirectory() ? path : entry.isSymbolicLink() ? this.#follow(path, parent) : undefined;
    if (typeof folder !== "string") return folder;
    const { scope, needsTrust: isGuarded } = this.#source;
    return { folder, name, root: this.#root, scope, isGuarded };
  }

  /** A link directly in the source is followed when the source is trusted, or when it stays inside. */
  #follow(path: string, folder: string): string | Problem | undefined {
    if (folder !== this.#root) return undefined;
    try {
      const target = realpathSync(path);
      if (!statSync(target).isDirectory()) return undefined;
      if (!this.#source.needsTrust || isWithin(this.#root, target)) return target;
      // Installers link one place to the other; what was found there already is not missing.
      if (this.#context.readings.has(target)) {
        this.#found++;
        return undefined;
      }
      const message = `'${basename(path)}' is a link that leaves its folder; it is not followed in a project.`;
      return problem("link-outside", "warning", message, path, "Put the skill's folder itself there.");
    } catch {
      const message = `'${basename(path)}' is a link to nothing, or to itself.`;
      return problem("link-broken", "warning", message, path, "Remove the link.");
    }
  }

  /** Folders first: a link to one of them is then known to be the same skill. */
  #open(folder: string): Dirent[] {
    if (++this.#opened > LIMITS.hard.scannedFolders) {
      if (this.#opened === LIMITS.hard.scannedFolders + 1) {
        const message = `The scan of '${this.#root}' stopped after ${LIMITS.hard.scannedFolders} folders without a skill.`;
        this.#report("scan-limit", "warning", message, this.#root, "Name the folders of skills themselves.");
      }
      return [];
    }
    try {
      return foldersFirst(readdirSync(folder, { withFileTypes: true }));
    } catch (error) {
      const message = `'${folder}' cannot be read (${(error as NodeJS.ErrnoException).code}).`;
      if (folder === this.#root && !this.#source.optional) {
        throw new SkillError("source-unreadable", message, { cause: error });
      }
      this.#report("source-unreadable", "warning", message, folder, "Check the folder's permissions.");
      return [];
    }
  }

  #noteEmpty(): void {
    this.#noteMisnamed(this.#root);
    const { path, scope, depth } = this.#source;
    const severity = scope === "given" ? "warning" : "info";
    const where = depth === 1 ? "in it or directly in its folders" : `in it or in its folders, ${depth} levels deep`;
    this.#report(
      "source-empty",
      severity,
      `'${path}' holds no skill: there is no SKILL.md ${where}.`,
      path,
      LOOK_DEEPER,
    );
  }

  /** A SKILL.md in other letters is the likeliest reason for a skill that is missed. */
  #noteMisnamed(folder: string): void {
    const names = namesIn(folder);
    const misnamed = names.find((name) => name !== "SKILL.md" && /^skills?\.(?:md|markdown)$/i.test(name));
    if (misnamed === undefined || names.includes("SKILL.md")) return;
    const message = `'${misnamed}' is not read: the file must be called SKILL.md.`;
    const fix = `Rename '${misnamed}' to 'SKILL.md'.`;
    this.#report("skill-md-misnamed", "warning", message, join(folder, misnamed), fix);
  }

  #report(...finding: Parameters<typeof problem>): void {
    this.#context.problems.push(problem(...finding));
  }
}

function problem(
  code: ProblemCode,
  severity: Problem["severity"],
  message: string,
  path: string,
  fix: string,
): Problem {
  return { code, severity, message, path, fix };
}

function isPlace(step: FolderPlace | Problem | undefined): step is FolderPlace {
  return step !== undefined && "folder" in step;
}

const LOOK_DEEPER = "Name the skill's own folder, or look deeper: recursive, or --recursive on the command line.";

function foldersFirst(entries: Dirent[]): Dirent[] {
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (!entries.some((entry) => entry.isSymbolicLink())) return entries;
  const isLink = Map.groupBy(entries, (entry) => entry.isSymbolicLink());
  return [...(isLink.get(false) ?? []), ...(isLink.get(true) ?? [])];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
