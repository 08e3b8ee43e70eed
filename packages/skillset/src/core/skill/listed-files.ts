import { SkillError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { findHiddenText } from "../text/hidden-text.ts";
import { isPrivate, normaliseRelative } from "../text/relative-path.ts";
import type { ReadOptions, SkillFile, SkillFiles } from "./skill.ts";

/** An unvalidated file from code or a source. */
export interface ClaimedFile {
  readonly path: string;
  readonly size: number;
  readonly stamp?: string;
}

/** The files of a skill whose paths are known in advance. Only these can be read, up to the size limit. */
export class ListedFiles implements SkillFiles {
  readonly #skill: string;
  readonly #files: ReadonlyMap<string, SkillFile>;
  readonly #fetch: (path: string, options: ReadOptions) => Promise<Uint8Array>;

  constructor(
    skill: string,
    files: readonly SkillFile[],
    fetch: (path: string, options: ReadOptions) => Promise<Uint8Array>,
  ) {
    this.#skill = skill;
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#fetch = fetch;
  }

  async list(directory = ".", { signal }: ReadOptions = {}): Promise<readonly SkillFile[]> {
    signal?.throwIfAborted();
    const base = normaliseRelative(directory);
    const prefix = base === "." ? "" : `${base}/`;
    return [...this.#files.values()].filter(({ path }) => path.startsWith(prefix));
  }

  async read(given: string, options: ReadOptions = {}): Promise<Uint8Array> {
    options.signal?.throwIfAborted();
    if (this.#files.size === 0)
      throw new SkillError(
        "resource-not-found",
        `Skill '${this.#skill}' is not a stored skill: it has no files to read.`,
      );
    const path = normaliseRelative(given);
    const listed = this.#files.get(path);
    if (listed === undefined)
      throw new SkillError(
        "resource-not-found",
        `'${path.slice(0, LIMITS.shown.pathCharacters)}' does not exist in this skill.`,
      );
    if (listed.kind !== "file") throw new SkillError("resource-not-a-file", `'${path}' is not a file.`);
    checkSize(path, listed.size);
    const bytes = await this.#fetch(path, options);
    checkSize(path, bytes.byteLength);
    return bytes;
  }
}

function checkSize(path: string, size: number): void {
  if (size > LIMITS.hard.file)
    throw new SkillError("resource-too-large", `'${path}' has ${size} bytes. The maximum is ${LIMITS.hard.file}.`);
}

/**
 * Normalizes and sorts the files. Leaves out invalid files and passes the reason to `refuse`. Throws if the files
 * exceed the limits of a skill.
 */
export function checkFiles(files: Iterable<ClaimedFile>, refuse: (reason: string) => void): readonly SkillFile[] {
  const checked = new Map<string, SkillFile>();
  const folders = new Set<string>();
  let bytes = 0;
  for (const file of files) {
    const result = checkPath(file.path);
    const reason = "reason" in result ? result.reason : conflictOf(result.path, checked, folders);
    if ("reason" in result || reason !== undefined) {
      refuse(`The file ${JSON.stringify(file.path)?.slice(0, LIMITS.shown.pathCharacters)} is not used: ${reason}.`);
      continue;
    }
    const { path } = result;
    if (!Number.isSafeInteger(file.size) || file.size < 0) {
      refuse(`The file ${JSON.stringify(path)} is not used: its size is not a number of bytes.`);
      continue;
    }
    for (const folder of foldersOf(path)) folders.add(folder);
    bytes += file.size;
    const { stamp } = file;
    checked.set(path, { path, kind: "file", size: file.size, ...(typeof stamp === "string" && { stamp }) });
    if (checked.size > LIMITS.hard.filesInSkill || bytes > LIMITS.hard.skill) {
      const most = `${LIMITS.hard.filesInSkill} files or ${LIMITS.hard.skill} bytes`;
      throw new SkillError("skill-too-large", `The skill has more than ${most}.`);
    }
  }
  return [...checked.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

type PathCheck = { readonly path: string } | { readonly reason: string };

/** The path becomes a file when the skill is installed, and a model sees it in the activation. */
function checkPath(given: unknown): PathCheck {
  if (typeof given !== "string") return { reason: "its path is not a string" };
  let path: string;
  try {
    path = normaliseRelative(given);
  } catch (error) {
    return { reason: (error as SkillError).message.replace(/\.$/, "") };
  }
  const parts = path.split("/");
  if (path === ".") return { reason: "its path is empty" };
  if (path.toLowerCase() === "skill.md") return { reason: "SKILL.md is generated from the skill" };
  if (isPrivate(path)) return { reason: "files with this name are private" };
  if (/\p{Cc}/u.test(path) || findHiddenText(path) !== undefined) return { reason: "its path has hidden characters" };
  if (parts.length > LIMITS.hard.nesting) return { reason: `it is nested more than ${LIMITS.hard.nesting} deep` };
  if (parts.some((part) => part.length > LIMITS.hard.fileNameCharacters)) return { reason: "its name is too long" };
  return { path };
}

function conflictOf(path: string, files: ReadonlyMap<string, unknown>, folders: ReadonlySet<string>) {
  if (files.has(path)) return "another file has the same path";
  const isTaken = folders.has(path) || foldersOf(path).some((folder) => files.has(folder));
  return isTaken ? "a file and a folder have the same path" : undefined;
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}
