import { type Dirent, lstatSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import type { ReadOptions, SkillFile, SkillFiles } from "../../core/skill/skill.ts";
import { isPrivate, normaliseRelative } from "../../core/text/relative-path.ts";
import { locatePart, type PlacedContent, readFolder, readPlaced } from "../files/contained-read.ts";

/** The files of a skill folder. Reads on demand, and never outside the folder. */
export class FolderFiles implements SkillFiles {
  readonly #root: string;
  readonly #maxBytes: number;

  constructor(root: string, { maxBytes = LIMITS.hard.file }: { maxBytes?: number } = {}) {
    this.#root = root;
    this.#maxBytes = maxBytes;
  }

  /** Lists readable files, up to a skill's limit. Leaves out `.git` and `node_modules`. */
  async list(directory = ".", { signal }: ReadOptions = {}): Promise<readonly SkillFile[]> {
    signal?.throwIfAborted();
    try {
      return this.#list(normaliseRelative(directory));
    } catch (error) {
      if (error instanceof SkillError) throw error;
      // The system's message contains the folder's path.
      const { code = "unexpected" } = error as NodeJS.ErrnoException;
      throw new SkillError("resource-not-found", `The files of this skill cannot be listed (${code}).`, {
        cause: error,
      });
    }
  }

  #list(base: string): readonly SkillFile[] {
    const files: SkillFile[] = [];
    const prefix = base === "." ? "" : `${base}/`;
    // Walks from the top, so that no link on the way is followed.
    for (const part of walkListed(this.#root)) {
      if (!part.path.startsWith(prefix) || isPrivate(part.path)) continue;
      const file = part.kind === "link" ? this.#followLink(part.path) : asFile(part);
      if (file !== undefined) files.push(file);
      if (files.length >= LIMITS.hard.filesInSkill) break;
    }
    return files;
  }

  async read(path: string, options: ReadOptions = {}): Promise<Uint8Array> {
    return this.readPlaced(path, options).bytes;
  }

  /** Returns the content, and the path of the opened file. */
  readPlaced(path: string, { signal }: ReadOptions = {}): PlacedContent {
    signal?.throwIfAborted();
    const relative = normaliseRelative(path);
    const content = readPlaced(this.#root, relative, { maxBytes: this.#maxBytes });
    // A link may have any name, so its target must not be private either.
    if (isPrivate(relative) || isPrivate(content.place))
      throw new SkillError("resource-not-found", `'${relative}' is private or links to a private file.`);
    return content;
  }

  /** Lists a link if it can be read as a file. Without a stamp, because the link's stamp does not cover its target. */
  #followLink(path: string): SkillFile | undefined {
    try {
      const { place, size } = locatePart(this.#root, path);
      return isPrivate(place) ? undefined : { path, kind: "file", size };
    } catch {
      return undefined;
    }
  }
}

function asFile({ path, kind, size, stamp }: SkillPart): SkillFile | undefined {
  if (kind === "directory") return { path, kind, size };
  return kind === "file" ? { path, kind, size, stamp } : undefined;
}

/** An entry of a skill folder. Links are listed, not followed. */
interface SkillPart {
  readonly path: string;
  readonly kind: "file" | "directory" | "link" | "other";
  readonly size: number;
  readonly stamp: string;
}

/** Walks all of a skill folder, sorted. Throws if it exceeds the limits of a skill. */
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

/** Does the same without limits, and without `node_modules` and `.git`. */
export function walkListed(root: string): Generator<SkillPart> {
  return walk(root, "", NOT_LISTED);
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
