import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join, relative as relativePath, sep } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { normaliseRelative } from "../../core/text/relative-path.ts";

/**
 * Reads one file of a skill, by a path from a model or a user. Opens the file first and checks the opened file
 * afterwards, so that a link swapped in between is detected. `root` must be a real path.
 */
export function readContained(root: string, path: string, limits: { maxBytes: number }): Uint8Array {
  return readPart(root, normaliseRelative(path), limits);
}

/** Does the same for a path with the file system's spelling. */
export function readPart(root: string, relative: string, limits: { maxBytes: number }): Uint8Array {
  return readPlaced(root, relative, limits).bytes;
}

/** A file's content, and its path within the skill after following links. */
export interface PlacedContent {
  readonly bytes: Uint8Array;
  readonly place: string;
}

export function readPlaced(root: string, relative: string, { maxBytes }: { maxBytes: number }): PlacedContent {
  return withPart(root, relative, ({ fd, place, size }) => {
    if (size > maxBytes) {
      throw new SkillError("resource-too-large", `'${relative}' has ${size} bytes. The maximum is ${maxBytes}.`);
    }
    return { bytes: readAll(fd, relative, size, maxBytes), place };
  });
}

/** Returns a file's location after following links, and its size. Throws if it cannot be read. */
export function locatePart(root: string, relative: string): Omit<OpenPart, "fd"> {
  return withPart(root, relative, ({ place, size }) => ({ place, size }));
}

interface OpenPart {
  readonly fd: number;
  readonly place: string;
  readonly size: number;
}

function withPart<Result>(root: string, relative: string, use: (part: OpenPart) => Result): Result {
  const path = join(root, relative);
  const fd = open(path, relative);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw notAFile(relative);
    const opened = openedPathIfKnown(fd, path);
    if (opened === undefined || !isWithin(root, opened)) throw leavesSkill(relative);
    return use({ fd, place: placeIn(root, opened), size: stats.size });
  } finally {
    closeSync(fd);
  }
}

/** Returns a path relative to the skill, with forward slashes. */
function placeIn(root: string, opened: string): string {
  // Linux appends this to the path of a file that was replaced after it was opened.
  const isReplaced = opened.endsWith(DELETED) && lstatSync(opened, { throwIfNoEntry: false }) === undefined;
  return toPosix(relativePath(root, isReplaced ? opened.slice(0, -DELETED.length) : opened));
}

const DELETED = " (deleted)";

function toPosix(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/** Whether a real path is the root or is below it. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Whether the opened file is a regular file within the root. */
export function isOpenedWithin(fd: number, path: string, root: string): boolean {
  const opened = openedPathIfKnown(fd, path);
  return opened !== undefined && isWithin(root, opened) && fstatSync(fd).isFile();
}

function openedPathIfKnown(fd: number, path: string): string | undefined {
  try {
    return openedPath(fd, path);
  } catch {
    return undefined;
  }
}

/** Reads the entries of a skill's folder. Reads the opened folder, even if the path points elsewhere by now. */
export function readFolder(root: string, relative: string): Dirent[] {
  const path = join(root, relative);
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!isWithin(root, openedPath(fd, path))) throw leavesSkill(relative);
    return readdirSync(process.platform === "linux" ? `/proc/self/fd/${fd}` : path, { withFileTypes: true });
  } finally {
    closeSync(fd);
  }
}

function open(path: string, relative: string): number {
  try {
    // A first check, so that devices and pipes are never opened. The opened file is checked again.
    if (!statSync(path).isFile()) throw notAFile(relative);
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    if (error instanceof SkillError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === "ENOENT" || code === "ENOTDIR";
    const reason = isMissing ? "does not exist in this skill" : `cannot be read (${code})`;
    throw new SkillError("resource-not-found", `'${relative}' ${reason}.`);
  }
}

function notAFile(relative: string): SkillError {
  return new SkillError("resource-not-a-file", `'${relative}' is not a file.`);
}

function leavesSkill(relative: string): SkillError {
  return new SkillError("resource-outside-skill", `Access denied: '${relative}' is a link that leaves the skill.`);
}

/** Returns the real path of an opened file. */
export function openedPath(fd: number, path: string): string {
  if (process.platform === "linux") return readlinkSync(`/proc/self/fd/${fd}`);
  const real = realpathSync(path);
  const there = lstatSync(real);
  const opened = fstatSync(fd);
  return there.ino === opened.ino && there.dev === opened.dev ? real : "";
}

/** Reads to the end, even if the file grows meanwhile, up to the limit. */
function readAll(fd: number, relative: string, size: number, maxBytes: number): Uint8Array {
  const chunks: Buffer[] = [];
  let total = 0;
  for (let want = size + 1; ; want = 64 * 1024) {
    // Not from Node's shared pool: callers may transfer the underlying buffer.
    const chunk = Buffer.allocUnsafeSlow(want);
    const read = readSync(fd, chunk, 0, want, null);
    // The read requested one byte more than the file had, so this is the end.
    if (total === 0 && read === size) return chunk.subarray(0, read);
    if (read === 0) return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    total += read;
    if (total > maxBytes) {
      throw new SkillError("resource-too-large", `'${relative}' has more than ${maxBytes} bytes.`);
    }
    chunks.push(chunk.subarray(0, read));
  }
}
