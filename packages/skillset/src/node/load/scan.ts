import { type Dirent, existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import type { Problem, ProblemCode } from "../../core/base/problem.ts";
import type { Policy } from "../../core/manifest/policy.ts";
import type { SkillScope } from "../../core/skill/skill.ts";
import { isWithin } from "../files/contained-read.ts";
import { entriesOf, SKIPPED_FOLDERS, withoutFileFolders } from "../files/folder-entries.ts";
import type { IsIgnored } from "../files/ignored-folders.ts";
import { findMisnamed } from "../skill-folder/misnamed-skill-md.ts";
import { type FolderReading, type FoundFolder, readSkillFolders } from "../skill-folder/read-skill-folder.ts";
import { findRoot } from "./scan-root.ts";
import {
  COLLECTION_NAME,
  countSkills,
  findNested,
  foldersIn,
  isCollection,
  LOOK_DEEPER,
  notRead,
  RECURSIVE_OPTION,
} from "./unread-skills.ts";

export interface ScanSource {
  /** The absolute path. */
  readonly path: string;
  readonly scope: SkillScope;
  readonly optional: boolean;
  readonly depth: number;
  readonly needsTrust: boolean;
  /** The folder that links must not leave. */
  readonly within: string | undefined;
  /** Whether a folder below is not searched. */
  readonly isIgnored: IsIgnored;
  /** Does not report a folder without skills. */
  readonly quiet: boolean;
}

export interface ScanContext {
  readonly policy: Policy;
  readonly problems: Problem[];
  /** Folders that this load has read so far, by real path. */
  readonly readings: Map<string, FolderReading>;
  /** Sources that failed. */
  readonly failed: Set<string>;
  /** The standard folders that this load has searched, as real paths with their settings. */
  readonly searched: Set<string>;
  /** The results of an earlier load, by folder. */
  readonly known: ReadonlyMap<string, FolderReading>;
  /** Called for each skill folder, valid or not. Another source may find the same folder again. */
  readonly onReading: (reading: FolderReading, isFirst: boolean) => void;
}

/**
 * Finds the skills of one source in a bounded walk, always in the same order. Yields regularly, so that the caller can
 * pause.
 */
export function* scan(source: ScanSource, context: ScanContext): Generator<void> {
  const root = findRoot(source, context);
  if (root === undefined || isSearchedAgain(source, root.place.root, context)) return;
  const { policy, readings, known } = context;
  const [found] = readings.has(root.place.folder) ? [] : readSkillFolders([root.place], policy, known);
  const own = take(root.place, found, context);
  if (root.isSkillMd) return;
  if (isValid(own) && source.scope === "given" && source.depth === 1 && !isCollection(root.place)) {
    // The folder of a skill as a source means only that skill.
    const nested = yield* findNested(root.place, { fix: LOOK_DEEPER, isIgnored: source.isIgnored });
    if (nested !== undefined) context.problems.push(nested);
    return;
  }
  yield* new FolderScan(source, root.place.root, context, own).run();
}

/** Many projects link their standard folders to each other. Folders that the caller names are searched as often as named. */
function isSearchedAgain({ scope, needsTrust, depth }: ScanSource, root: string, { searched }: ScanContext): boolean {
  if (scope === "given") return false;
  const before = searched.size;
  return searched.add(JSON.stringify([scope, needsTrust, depth, root])).size === before;
}

/** Reports the skill in a folder, if it has one. An unreadable skill counts as invalid. */
function take(
  { folder }: FoundFolder,
  fresh: FolderReading | undefined,
  { readings, onReading }: ScanContext,
): FolderReading | undefined {
  // A link may point to a folder of the same round, which takes precedence.
  const earlier = readings.get(folder);
  const reading = earlier ?? fresh;
  if (reading === undefined) return undefined;
  if (earlier === undefined) readings.set(folder, reading);
  onReading(reading, earlier === undefined);
  return reading;
}

function isValid(reading: FolderReading | undefined): boolean {
  return reading?.candidate.kind === "skill";
}

/** How many folders are read in one round, small enough that nothing waits for long. */
const ROUND = 64;

class FolderScan {
  readonly #source: ScanSource;
  readonly #root: string;
  readonly #context: ScanContext;
  /** Whether the root itself is a skill's folder. */
  readonly #isSkill: boolean;
  /** Skills with folders that the scan would otherwise search. */
  readonly #ends: FoundFolder[] = [];
  /** Folders below the last level. */
  readonly #deeper: string[] = [];
  #opened = 0;
  #found = 0;
  #peeks = 0;

  constructor(source: ScanSource, root: string, context: ScanContext, own: FolderReading | undefined) {
    this.#source = source;
    this.#root = root;
    this.#context = context;
    this.#isSkill = own !== undefined;
    this.#found = own === undefined ? 0 : 1;
  }

  /** Scans level by level, so that a huge folder does not use up the limit before its neighbors are found. */
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
    for (const place of this.#ends) {
      const nested = yield* findNested(place, { isIgnored: this.#source.isIgnored });
      if (nested !== undefined) this.#context.problems.push(nested);
      yield;
    }
    yield* this.#noteDeeper();
    if (this.#found === 0 && !this.#source.quiet) this.#noteEmpty();
  }

  /** Reads the skills among the entries. Adds folders without a valid skill to `next`, if given. */
  #look(entries: readonly Dirent[], parent: string, next: string[] | undefined): void {
    const places = entries.map((entry) => this.#placeOf(entry, parent));
    const { policy, readings, known } = this.#context;
    const fresh = places.filter((place) => isPlace(place) && !readings.has(place.folder)) as FoundFolder[];
    const found = readSkillFolders(fresh, policy, known);
    let index = 0;
    for (const place of places) {
      if (place === undefined) continue;
      if (!isPlace(place)) {
        this.#context.problems.push(place);
        continue;
      }
      const reading = take(place, place === fresh[index] ? found[index++] : undefined, this.#context);
      if (reading !== undefined) this.#found++;
      // Links are not searched.
      const { isLink = false } = place;
      if (isValid(reading) && (isLink || !this.#isCollection(place))) {
        if (this.#source.depth > 1 && !isLink) this.#ends.push(place);
      } else if (next !== undefined && !isLink) next.push(place.folder);
      else if (this.#peeks++ < LIMITS.hard.scannedFolders) this.#peek(place.folder, isLink);
    }
  }

  /** A shallow scan goes by the name, because reading the folder of each skill costs time. */
  #isCollection(place: FoundFolder): boolean {
    return this.#source.depth > 1 ? isCollection(place) : place.name === COLLECTION_NAME;
  }

  /** Checks a folder on the last level for a misspelled SKILL.md, and for folders that may contain skills. */
  #peek(folder: string, isLink: boolean): void {
    const entries = entriesOf(folder);
    this.#noteMisnamed(folder, entries);
    if (!isLink) for (const deeper of foldersIn(folder, entries, this.#source.isIgnored)) this.#deeper.push(deeper);
  }

  /** Returns the real folder of an entry, or the problem with it. */
  #placeOf(entry: Dirent, parent: string): FoundFolder | Problem | undefined {
    const { name } = entry;
    if (SKIPPED_FOLDERS.has(name)) return undefined;
    const path = parent + sep + name;
    const folder = entry.isDirectory() ? path : entry.isSymbolicLink() ? this.#follow(path, parent) : undefined;
    if (typeof folder !== "string") return folder;
    const { scope, needsTrust: isGuarded, isIgnored } = this.#source;
    if (isIgnored(path)) return undefined;
    return { folder, name, root: this.#root, scope, isLink: folder !== path, isGuarded };
  }

  /** Follows a link directly in the source, if the source is trusted or the link stays inside it. */
  #follow(path: string, folder: string): string | Problem | undefined {
    // Most links in a skill's folder are its files, which the scan ignores.
    if (folder !== this.#root || (this.#isSkill && !existsSync(join(path, "SKILL.md")))) return undefined;
    try {
      const target = realpathSync(path);
      if (!statSync(target).isDirectory()) return undefined;
      if (!this.#source.needsTrust || isWithin(this.#root, target)) return target;
      // Installers link folders to each other. A skill that was already found is not missing.
      if (this.#context.readings.has(target)) {
        this.#found++;
        return undefined;
      }
      const message = `'${basename(path)}' is a link that leaves its folder. Links in projects must stay inside.`;
      return problem("link-outside", "warning", message, path, "Replace the link with the skill's folder.");
    } catch {
      const message = `'${basename(path)}' is a broken link.`;
      return problem("link-broken", "warning", message, path, "Remove the link.");
    }
  }

  /** Returns folders first, so that a link to one of them is recognized as the same skill. */
  #open(folder: string): Dirent[] {
    const isSkill = this.#context.readings.has(folder);
    if (!isSkill && ++this.#opened > LIMITS.hard.scannedFolders) {
      if (this.#opened === LIMITS.hard.scannedFolders + 1) {
        const message = `The scan of '${this.#root}' stopped after ${LIMITS.hard.scannedFolders} folders without a skill.`;
        this.#report("scan-limit", "warning", message, this.#root, NAME_FOLDERS);
      }
      return [];
    }
    try {
      const entries = readdirSync(folder, { withFileTypes: true });
      if (folder !== this.#root) this.#noteMisnamed(folder, entries);
      return foldersFirst(isSkill ? withoutFileFolders(entries) : entries);
    } catch (error) {
      const message = `'${folder}' cannot be read (${(error as NodeJS.ErrnoException).code}).`;
      if (folder === this.#root && !this.#source.optional) {
        throw new SkillError("source-unreadable", message, { cause: error });
      }
      this.#report("source-unreadable", "warning", message, folder, "Check the folder's permissions.");
      return [];
    }
  }

  /** Reports how many skills are below the last level. */
  *#noteDeeper(): Generator<void> {
    const { path, depth } = this.#source;
    const limit = LIMITS.hard;
    const isAtLimit = depth >= limit.scanDepth;
    const unread = yield* countSkills(this.#deeper, this.#source.isIgnored);
    const isUnsure = isAtLimit && (unread.isCut || this.#peeks > limit.scannedFolders);
    if (unread.count === 0 && !isUnsure) return;
    const reach = `more than ${depth} ${depth === 1 ? "level" : "levels"} below '${path}'`;
    const message =
      unread.count === 0
        ? `Not all folders ${reach} were searched.`
        : `${notRead(unread, this.#root)}: ${unread.count === 1 ? "it is" : "they are"} ${reach}.`;
    if (isAtLimit) this.#report("scan-limit", "warning", message, this.#root, NAME_FOLDERS);
    else this.#report("skills-not-read", "warning", message, this.#root, LOOK_DEEPER);
  }

  #noteEmpty(): void {
    this.#noteMisnamed(this.#root, entriesOf(this.#root));
    const { path, scope, depth } = this.#source;
    const severity = scope === "given" ? "warning" : "info";
    const where = depth === 1 ? "in it or directly in its folders" : `in it or in its folders, ${depth} levels deep`;
    const message = `'${path}' contains no skill: there is no SKILL.md ${where}.`;
    this.#report("source-empty", severity, message, path, depth >= LIMITS.hard.scanDepth ? ADD_SKILL : ADD_OR_DEEPER);
  }

  #noteMisnamed(folder: string, entries: readonly Dirent[]): void {
    const names = entries.map(({ name }) => name);
    const misnamed = findMisnamed(folder, names);
    if (misnamed !== undefined) this.#context.problems.push(misnamed);
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

function isPlace(step: FoundFolder | Problem | undefined): step is FoundFolder {
  return step !== undefined && "folder" in step;
}

export const NAME_FOLDERS = "Pass the folders of the skills themselves.";
const ADD_SKILL = "Add a folder with a SKILL.md, or pass another folder.";
const ADD_OR_DEEPER = `Pass the skill's folder, or search subfolders with ${RECURSIVE_OPTION}.`;

function foldersFirst(entries: Dirent[]): Dirent[] {
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (!entries.some((entry) => entry.isSymbolicLink())) return entries;
  const isLink = Map.groupBy(entries, (entry) => entry.isSymbolicLink());
  return [...(isLink.get(false) ?? []), ...(isLink.get(true) ?? [])];
}
