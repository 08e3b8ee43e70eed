import { type Dirent, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import type { ReadOptions, SkillFile, SkillFiles } from "../core/skill.ts";
import { normaliseRelative, readContained } from "./contained-read.ts";

/** The files of a skill folder, read when asked for and never from outside the folder. */
export class FolderFiles implements SkillFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async list(directory = ".", { signal }: ReadOptions = {}): Promise<readonly SkillFile[]> {
    signal?.throwIfAborted();
    const base = normaliseRelative(directory);
    const prefix = base === "." || base === "" ? "" : `${base}/`;
    return [...walkSkill(this.#root)]
      .filter(({ path }) => path.startsWith(prefix))
      .map(({ path, kind, size }): SkillFile => ({ path, kind: kind === "directory" ? "directory" : "file", size }));
  }

  async read(path: string, { signal }: ReadOptions = {}): Promise<Uint8Array> {
    signal?.throwIfAborted();
    return readContained(this.#root, path, { maxBytes: LIMITS.hard.file });
  }
}

/** Something in a skill folder. Links are named, not followed. */
export interface SkillPart {
  readonly path: string;
  readonly kind: "file" | "directory" | "link" | "other";
  readonly size: number;
  readonly stamp: string;
}

/** Every part of a skill folder, sorted; throws when there are more than a skill may have. */
export function* walkSkill(root: string): Generator<SkillPart> {
  let files = 0;
  let bytes = 0;
  for (const part of walk(root, "")) {
    if (part.kind !== "directory") files++;
    bytes += part.size;
    if (files > LIMITS.hard.filesInSkill || bytes > LIMITS.hard.skill) {
      throw new SkillError(
        "skill-too-large",
        `The skill has more than ${LIMITS.hard.filesInSkill} files or ${LIMITS.hard.skill} bytes.`,
      );
    }
    yield part;
  }
}

const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);
const MAX_NESTING = 16;

function* walk(root: string, directory: string, depth = 0): Generator<SkillPart> {
  if (depth > MAX_NESTING) return;
  for (const entry of sorted(readdirSync(join(root, directory), { withFileTypes: true }))) {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
    if (entry.isDirectory() && SKIPPED.has(entry.name)) continue;
    const { size, ino, mtimeMs, ctimeMs } = lstatSync(join(root, path));
    const kind = entry.isDirectory()
      ? "directory"
      : entry.isFile()
        ? "file"
        : entry.isSymbolicLink()
          ? "link"
          : "other";
    yield { path, kind, size: kind === "directory" ? 0 : size, stamp: `${ino}:${size}:${mtimeMs}:${ctimeMs}` };
    if (kind === "directory") yield* walk(root, path, depth + 1);
  }
}

function sorted(entries: Dirent[]): Dirent[] {
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
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
      const content = createHash().update(readContained(root, path, { maxBytes: LIMITS.hard.file }));
      hash.update(`file\0${path}\0${content.digest("hex")}\n`);
    } else if (kind === "link") {
      hash.update(`link\0${path}\0${readlinkSync(join(root, path))}\n`);
    } else if (kind === "other") {
      hash.update(`other\0${path}\n`);
    }
  }
  return `sha256:${hash.digest("hex")}`;
}

/** Changes when anything in the folder is written, added, removed or renamed. Reads no content. */
export function stampFolder(root: string): string {
  const hash = createHash();
  for (const { path, kind, stamp } of walkSkill(root))
    hash.update(`${kind}\0${path}\0${kind === "directory" ? "" : stamp}\n`);
  return hash.digest("hex");
}
