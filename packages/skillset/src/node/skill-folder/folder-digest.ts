import { readlinkSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "../../core/base/limits.ts";
import { readPart } from "../files/contained-read.ts";
import { walkSkill } from "./folder-files.ts";

/**
 * The contents of a skill's folder, by path: `sha256:` and 64 hex digits for a file, `link:` and the target for a link,
 * `directory` or `other` for the rest.
 */
export type FolderContent = ReadonlyMap<string, string>;

/** Loaded on first use: the import takes time, and few callers need digests. */
function createHash() {
  return process.getBuiltinModule("node:crypto").createHash("sha256");
}

export function hashFile(bytes: Uint8Array): string {
  return `sha256:${createHash().update(bytes).digest("hex")}`;
}

/** Reads and hashes everything in the folder. */
export function hashFolder(root: string): FolderContent {
  const content = new Map<string, string>();
  for (const { path, kind } of walkSkill(root)) {
    if (kind === "file") content.set(path, hashFile(readPart(root, path, { maxBytes: LIMITS.hard.file })));
    else content.set(path, kind === "link" ? `link:${readlinkSync(join(root, path))}` : kind);
  }
  return content;
}

/** Computes one digest over all paths and contents in a folder. */
export function digestContent(content: FolderContent): string {
  const hash = createHash();
  for (const [path, value] of content) {
    if (value.startsWith("sha256:")) hash.update(`file\0${path}\0${value.slice("sha256:".length)}\n`);
    else if (value.startsWith("link:")) hash.update(`link\0${path}\0${value.slice("link:".length)}\n`);
    else hash.update(`${value}\0${path}\n`);
  }
  return `sha256:${hash.digest("hex")}`;
}

export function digestFolder(root: string): string {
  return digestContent(hashFolder(root));
}

export function isSameContent(a: FolderContent, b: FolderContent): boolean {
  return a.size === b.size && [...a].every(([path, value]) => b.get(path) === value);
}

/** Returns a text that changes when anything in the folder is written, added, removed or renamed. Reads no content. */
export function stampFolder(root: string): string {
  const hash = createHash();
  for (const { path, kind, stamp } of walkSkill(root)) {
    hash.update(`${kind}\0${path}\0${kind === "directory" ? "" : stamp}\n`);
  }
  return hash.digest("hex");
}
