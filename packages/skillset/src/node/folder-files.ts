import { type Dirent, lstatSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import { normaliseRelative } from "../core/relative-path.ts";
import type { ReadOptions, SkillFile, SkillFiles } from "../core/skill.ts";
import { readContained, readFolder, readPart } from "./contained-read.ts";

/** The files of a skill folder, read when asked for and never from outside the folder. */
export class FolderFiles implements SkillFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** At most as many as a skill may have; what `npm` and `git` keep in a folder is left out. */
  async list(directory = ".", { signal }: ReadOptions = {}): Promise<readonly SkillFile[]> {
    signal?.throwIfAborted();
    try {
      return this.#list(normaliseRelative(directory));
    } catch (error) {
      if (error instanceof SkillError) throw error;
      // The system's own words have the folder's path in them.
      const { code = "unexpected" } = error as NodeJS.ErrnoException;
      throw new SkillError("resource-not-found", `The files of this skill cannot be listed (${code}).`, {
        cause: error,
      });
    }
  }

  async read(path: string, { signal }: ReadOptions = {}): Promise<Uint8Array> {
    signal?.throwIfAborted();
    return readContained(this.#root, path, { maxBytes: LIMITS.hard.file });
  }

  #list(base: string): readonly SkillFile[] {
    const files: SkillFile[] = [];
    const prefix = base === "." ? "" : `${base}/`;
    // From the top, so that no link on the way is followed.
    for (const { path, kind, size, stamp } of walk(this.#root, "", NOT_LISTED)) {
      if (kind === "other" || !path.startsWith(prefix)) continue;
      if (kind === "directory") files.push({ path, kind, size });
      // A link's own stamp says nothing about the file that it leads to.
      else files.push({ path, kind: "file", size, ...(kind === "file" && { stamp }) });
      if (files.length >= LIMITS.hard.filesInSkill) break;
    }
    return files;
  }
}

/** Something in a skill folder. Links are named, not followed. */
interface SkillPart {
  readonly path: string;
  readonly kind: "file" | "directory" | "link" | "other";
  readonly size: number;
  readonly stamp: string;
}

/** Every part of a skill folder, sorted, with nothing left out; throws when there is more than a skill may have. */
export function* walkSkill(root: string): Generator<SkillPart> {
  let files = 0;
  let folders = 0;
  let bytes = 0;
  for (const part of walk(root, "", NOTHING)) {
    if (part.kind === "directory") folders++;
    else files++;
    bytes += part.size;
    if (Math.max(files, folders) > LIMITS.hard.filesInSkill || bytes > LIMITS.hard.skill) {
      throw tooLarge(`more than ${LIMITS.hard.filesInSkill} files or ${LIMITS.hard.skill} bytes`);
    }
    yield part;
  }
}

const NOTHING: ReadonlySet<string> = new Set();
const NOT_LISTED: ReadonlySet<string> = new Set([".git", "node_modules"]);

function* walk(root: string, directory: string, skipped: ReadonlySet<string>, depth = 0): Generator<SkillPart> {
  if (depth > LIMITS.hard.nesting) throw tooLarge(`folders nested more than ${LIMITS.hard.nesting} deep`);
  for (const entry of sorted(readFolder(root, directory))) {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
    if (skipped.has(entry.name)) continue;
    const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (stats === undefined) continue;
    const { size, ino, mtimeMs, ctimeMs } = stats;
    const kind = kindOf(entry);
    yield { path, kind, size: kind === "directory" ? 0 : size, stamp: `${ino}:${size}:${mtimeMs}:${ctimeMs}` };
    if (kind === "directory") yield* walk(root, path, skipped, depth + 1);
  }
}

function kindOf(entry: Dirent): SkillPart["kind"] {
  if (entry.isDirectory()) return "directory";
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "link" : "other";
}

function sorted(entries: Dirent[]): Dirent[] {
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function tooLarge(what: string): SkillError {
  return new SkillError("skill-too-large", `The skill has ${what}.`);
}

/** Loaded at the first digest: importing it costs every caller, and few ask for digests. */
function createHash() {
  return process.getBuiltinModule("node:crypto").createHash("sha256");
}

/** A digest over the path and content of everything in the folder. */
export function digestFolder(root: string): string {
  const hash = createHash();
  for (const { path, kind } of walkSkill(root)) {
    if (kind === "file") {
      const content = createHash().update(readPart(root, path, { maxBytes: LIMITS.hard.file }));
      hash.update(`file\0${path}\0${content.digest("hex")}\n`);
    } else if (kind === "link") {
      hash.update(`link\0${path}\0${readlinkSync(join(root, path))}\n`);
    } else {
      hash.update(`${kind}\0${path}\n`);
    }
  }
  return `sha256:${hash.digest("hex")}`;
}

/** Changes when anything in the folder is written, added, removed or renamed. Reads no content. */
export function stampFolder(root: string): string {
  const hash = createHash();
  for (const { path, kind, stamp } of walkSkill(root)) {
    hash.update(`${kind}\0${path}\0${kind === "directory" ? "" : stamp}\n`);
  }
  return hash.digest("hex");
}
