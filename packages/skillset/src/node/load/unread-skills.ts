import type { Dirent } from "node:fs";
import { join, relative, sep } from "node:path";
import { LIMITS } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import { shorten } from "../../core/manifest/manifest-report.ts";
import { entriesOf, SKIPPED_FOLDERS, withoutFileFolders } from "../files/folder-entries.ts";

/** How many skills a scan leaves out; `isCut` when there may be more. */
export interface UnreadSkills {
  readonly count: number;
  readonly isCut: boolean;
  /** The first few of them. */
  readonly folders: readonly string[];
}

/**
 * Counts the skills in the folders and below them, in a bounded walk that follows no link and opens no file. Folders of
 * known skills are left out, with what is in them.
 */
export function* countSkills(
  folders: readonly string[],
  known: ReadonlySet<string> = NOTHING_KNOWN,
): Generator<void, UnreadSkills> {
  const queue = [...folders];
  const named: string[] = [];
  let [count, opened] = [0, 0];
  for (const folder of queue) {
    if (known.has(folder)) continue;
    if (++opened > LIMITS.hard.scannedFolders) return { count, isCut: true, folders: named };
    const entries = entriesOf(folder);
    const isSkill = entries.some(({ name }) => name === "SKILL.md");
    if (isSkill && ++count <= MOST_NAMED) named.push(folder);
    for (const path of foldersIn(folder, isSkill ? withoutFileFolders(entries) : entries)) queue.push(path);
    if (opened % FOLDERS_AT_ONCE === 0) yield;
  }
  return { count, isCut: false, folders: named };
}

const NOTHING_KNOWN: ReadonlySet<string> = new Set();
const FOLDERS_AT_ONCE = 64;
const MOST_NAMED = 3;

/** The folders among the entries that may hold skills. Links are not followed. */
export function foldersIn(parent: string, entries: readonly Dirent[]): string[] {
  return entries
    .filter((entry) => entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name))
    .map(({ name }) => parent + sep + name);
}

export interface SkillPlace {
  readonly folder: string;
  readonly name: string;
}

/** Reports the skills that lie below a skill, where a scan does not look. */
export function* findNested({ folder, name }: SkillPlace, fix = MOVE_THEM): Generator<void, Problem | undefined> {
  const unread = yield* countSkills(foldersIn(folder, withoutFileFolders(entriesOf(folder))));
  if (unread.count === 0) return undefined;
  const message = `${notRead(unread, folder, ` below '${name}'`)}: the search stops at a skill.`;
  return { code: "skills-not-read", severity: "warning", message, skill: name, path: join(folder, "SKILL.md"), fix };
}

/** Reports the skills below a folder that are not among the known ones. */
export function* findUnknown(root: string, known: ReadonlySet<string>): Generator<void, Problem | undefined> {
  const unread = yield* countSkills(foldersIn(root, entriesOf(root)), known);
  if (unread.count === 0) return undefined;
  const message = `${notRead(unread, root, ` in other folders of '${root}'`)}.`;
  return { code: "skills-not-read", severity: "warning", message, path: root, fix: LOOK_DEEPER };
}

/** Runs a walk to its end, for callers that need no pause. */
export function drain<Result>(walk: Generator<void, Result>): Result {
  for (;;) {
    const step = walk.next();
    if (step.done) return step.value;
  }
}

const MOVE_THEM = "Move them out of its folder, or name their folders as sources.";
export const LOOK_DEEPER =
  "Name the folders of these skills, or look deeper: recursive, or --recursive on the command line.";

/** `2 skills below 'pdf' are not read (forms, notes/old)`, to begin a sentence with. */
export function notRead({ count, isCut, folders }: UnreadSkills, root: string, where = ""): string {
  const skills = `${isCut ? "At least " : ""}${count} ${count === 1 ? "skill" : "skills"}`;
  const names = folders.map((folder) => shorten(relative(root, folder))).join(", ");
  return `${skills}${where} ${count === 1 ? "is" : "are"} not read (${names}${count > folders.length ? ", …" : ""})`;
}
