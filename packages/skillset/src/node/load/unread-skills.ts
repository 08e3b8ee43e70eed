import { type Dirent, existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { LIMITS } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import { shorten } from "../../core/manifest/manifest-report.ts";
import { entriesOf, SKIPPED_FOLDERS, withoutFileFolders } from "../files/folder-entries.ts";
import { type IsIgnored, NOTHING_IGNORED } from "../files/ignored-folders.ts";

/** The skills that a scan leaves out. `isCut` if there may be more. */
export interface UnreadSkills {
  readonly count: number;
  readonly isCut: boolean;
  /** The first few of them. */
  readonly folders: readonly string[];
}

/**
 * Counts the skills in and below the folders, in a bounded walk that follows no links and opens no files.
 */
export function* countSkills(
  folders: readonly string[],
  isIgnored: IsIgnored,
  mostNamed = MOST_NAMED,
): Generator<void, UnreadSkills> {
  const queue = [...folders];
  const named: string[] = [];
  let [count, opened] = [0, 0];
  for (const folder of queue) {
    if (++opened > LIMITS.hard.scannedFolders) return { count, isCut: true, folders: named };
    const entries = entriesOf(folder);
    const isSkill = entries.some(({ name }) => name === "SKILL.md");
    if (isSkill && ++count <= mostNamed) named.push(folder);
    for (const path of foldersIn(folder, isSkill ? withoutFileFolders(entries) : entries, isIgnored)) queue.push(path);
    if (opened % FOLDERS_AT_ONCE === 0) yield;
  }
  return { count, isCut: false, folders: named };
}

const FOLDERS_AT_ONCE = 64;
const MOST_NAMED = 3;

/** Returns the folders among the entries that may contain skills. Follows no links. */
export function foldersIn(
  parent: string,
  entries: readonly Dirent[],
  isIgnored: IsIgnored = NOTHING_IGNORED,
): string[] {
  return entries
    .filter((entry) => entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name))
    .map(({ name }) => parent + sep + name)
    .filter((folder) => !isIgnored(folder));
}

export interface SkillPlace {
  readonly folder: string;
  readonly name: string;
}

/** Reports skills below a skill, which a scan does not search. */
export function* findNested(
  { folder, name }: SkillPlace,
  { fix = MOVE_THEM, isIgnored = NOTHING_IGNORED }: { readonly fix?: string; readonly isIgnored?: IsIgnored } = {},
): Generator<void, Problem | undefined> {
  const unread = yield* countSkills(foldersIn(folder, withoutFileFolders(entriesOf(folder)), isIgnored), isIgnored);
  if (unread.count === 0) return undefined;
  const message = `${notRead(unread, folder, ` below '${name}'`, ONLY_BY_PATH)}: a scan stops at a skill.`;
  return { code: "skills-not-read", severity: "warning", message, skill: name, path: join(folder, "SKILL.md"), fix };
}

/** Returns the folders of skills below a skill, in the same bounded walk. */
export function nestedSkills(folder: string, isIgnored: IsIgnored): UnreadSkills {
  const inside = foldersIn(folder, withoutFileFolders(entriesOf(folder)), isIgnored);
  return drain(countSkills(inside, isIgnored, Number.POSITIVE_INFINITY));
}

/**
 * Whether a folder is a collection of skills although it has a SKILL.md itself: by its name, or because many of its
 * folders are skills. A stray SKILL.md must not hide them.
 */
export function isCollection({ folder, name }: Pick<SkillPlace, "folder" | "name">): boolean {
  if (name === COLLECTION_NAME) return true;
  const inside = foldersIn(folder, withoutFileFolders(entriesOf(folder)));
  if (inside.length < COLLECTION) return false;
  return inside.filter((path) => existsSync(join(path, "SKILL.md"))).length >= COLLECTION;
}

export const COLLECTION_NAME = "skills";
/** A skill with this many skills directly in its folder is one of a collection. */
const COLLECTION = 10;

/** Runs a walk to its end, for callers that do not pause. */
export function drain<Result>(walk: Generator<void, Result>): Result {
  for (;;) {
    const step = walk.next();
    if (step.done) return step.value;
  }
}

const ONLY_BY_PATH = "loaded only if passed by path";
const MOVE_THEM = "Move them out of its folder, or add their folders as sources.";
/** How to search subfolders. Commands show only theirs. */
export const RECURSIVE_OPTION = "'recursive' (on the command line, '--recursive')";
export const LOOK_DEEPER = `Pass the folders of these skills, or search subfolders with ${RECURSIVE_OPTION}.`;

/** Returns the start of a sentence: `2 skills below 'pdf' are not loaded (forms, notes/old)`. */
export function notRead({ count, isCut, folders }: UnreadSkills, root: string, where = "", how = "not loaded"): string {
  const skills = `${isCut ? "At least " : ""}${count} ${count === 1 ? "skill" : "skills"}`;
  const names = folders.map((folder) => shorten(relative(root, folder) || ".")).join(", ");
  return `${skills}${where} ${count === 1 ? "is" : "are"} ${how} (${names}${count > folders.length ? ", …" : ""})`;
}
