import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  type Dirent,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { SkillError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import { isWithin, openedPath } from "./contained-read.ts";

export interface CopyTreeOptions {
  /** What becomes of a link that leads out of the folder: an error, or a copy of what it leads to. */
  readonly symlinks: "contained" | "follow";
  readonly readOnly: boolean;
}

/**
 * Copies a skill's folder, within the limits of a skill. Links become what they lead to, modes are kept but for setuid,
 * setgid and sticky bits, and nothing but files and folders is copied. Yields after each file, so that the caller may
 * pause or stop. The copy's own folder is left writable: it could not be moved otherwise.
 */
export function* copyTree(folder: string, target: string, options: CopyTreeOptions): Generator<void> {
  const root = realpathSync(folder);
  const fd = openSync(root, FOLDER);
  try {
    const copy = new TreeCopy(root, options);
    yield* copy.folder({ fd, path: root, relative: "" }, target, []);
    chmodSync(target, copy.modeOf(fstatSync(fd)) | 0o200);
  } finally {
    closeSync(fd);
  }
}

/** Copies one file as it is; a link is followed, because the caller named it. */
export function copyOneFile(file: string, target: string, options: CopyTreeOptions): void {
  const copy = new TreeCopy("/", options);
  if (!statSync(file).isFile()) throw new SkillError("resource-not-a-file", `'${file}' is not a file.`);
  const fd = openSync(file, FILE);
  try {
    copy.file(fd, file, target);
  } finally {
    closeSync(fd);
  }
}

const FILE = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
const FOLDER = FILE | constants.O_DIRECTORY;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** A folder of the skill that is open. */
interface OpenFolder {
  readonly fd: number;
  readonly path: string;
  /** As it is called within the skill. */
  readonly relative: string;
}

class TreeCopy {
  readonly #root: string;
  readonly #options: CopyTreeOptions;
  #files = 0;
  #folders = 0;
  #bytes = 0;

  constructor(root: string, options: CopyTreeOptions) {
    this.#root = root;
    this.#options = options;
  }

  *folder(from: OpenFolder, target: string, above: readonly OpenFolder[]): Generator<void> {
    if (above.length > LIMITS.hard.nesting) throw tooLarge(`folders nested more than ${LIMITS.hard.nesting} deep`);
    if (++this.#folders > LIMITS.hard.filesInSkill) throw tooLarge(`more than ${LIMITS.hard.filesInSkill} folders`);
    mkdirSync(target, { mode: 0o700 });
    const within = [...above, from];
    // Its path may lead elsewhere by now; but names are only names, and are looked up in the folder that is open.
    const entries = readdirSync(from.path, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const part = this.#open(entry, from);
      try {
        const copy = `${target}/${entry.name}`;
        if (part.stats.isDirectory()) {
          if (entry.isSymbolicLink()) checkNotWithin(part, within);
          yield* this.folder(part, copy, within);
          chmodSync(copy, this.modeOf(part.stats));
        } else this.file(part.fd, part.relative, copy, part.stats);
      } finally {
        closeSync(part.fd);
      }
      yield;
    }
  }

  /** What was opened is what is copied, wherever its path leads by now. */
  #open(entry: Dirent, { fd: parent, path, relative }: OpenFolder): OpenFolder & { readonly stats: Stats } {
    const name = relative === "" ? entry.name : `${relative}/${entry.name}`;
    const own = `${path}/${entry.name}`;
    // Below a folder that is open, no link on the way can be swapped in.
    const place = IS_LINUX ? `/proc/self/fd/${parent}/${entry.name}` : own;
    const isLink = entry.isSymbolicLink();
    if (isLink) checkTarget(place, name);
    else if (!entry.isFile() && !entry.isDirectory()) throw notCopied(name);
    const fd = openSync(place, isLink ? FILE : FILE | constants.O_NOFOLLOW);
    try {
      if (isLink || !IS_LINUX) this.#checkContained(fd, place, name);
      return { fd, path: own, relative: name, stats: fstatSync(fd) };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  #checkContained(fd: number, place: string, name: string): void {
    if (this.#options.symlinks === "follow" || isWithin(this.#root, openedPath(fd, place))) return;
    const message = `'${name}' is a link that leaves the skill. Copy the file into the skill, or allow such links with symlinks: "follow".`;
    throw new SkillError("resource-outside-skill", message);
  }

  file(fd: number, name: string, target: string, stats: Stats = fstatSync(fd)): void {
    if (!stats.isFile()) throw notCopied(name);
    if (++this.#files > LIMITS.hard.filesInSkill) throw tooLarge(`more than ${LIMITS.hard.filesInSkill} files`);
    if (stats.size > LIMITS.hard.file) throw fileTooLarge(name);
    const mode = this.modeOf(stats);
    // Its copy has all bits of the mode until they are taken away; so not for those that nobody may ever have.
    const isLarge = stats.size > BUFFER.length && IS_LINUX && (stats.mode & 0o7000) === 0;
    this.#bytes += isLarge
      ? copyLarge(fd, target, mode, name)
      : copyThrough(fd, target, mode, { name, size: stats.size });
    if (this.#bytes > LIMITS.hard.skill) throw tooLarge(`more than ${LIMITS.hard.skill} bytes`);
  }

  /** Its own bits, without setuid, setgid and sticky, and without writing when it is read-only. The owner may read. */
  modeOf(stats: Stats): number {
    const kept = stats.mode & (this.#options.readOnly ? 0o555 : 0o777);
    const least = this.#options.readOnly ? 0o400 : 0o600;
    return kept | (stats.isDirectory() ? least | 0o100 : least);
  }
}

const IS_LINUX = process.platform === "linux";
/** One for all: files are copied one after the other, each without a pause. */
const BUFFER = Buffer.allocUnsafeSlow(256 * 1024);

/** Where the file system can, the copy shares the original's blocks until one of them is written to. */
function copyLarge(fd: number, target: string, mode: number, name: string): number {
  copyFileSync(`/proc/self/fd/${fd}`, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const { size } = statSync(target);
  if (size > LIMITS.hard.file) throw fileTooLarge(name);
  chmodSync(target, mode);
  return size;
}

/** To the end, even when the file grows meanwhile, up to the limit. */
function copyThrough(fd: number, target: string, mode: number, { name, size }: { name: string; size: number }): number {
  const copy = openSync(target, NEW_FILE, mode);
  try {
    for (let total = 0; ; ) {
      const read = readSync(fd, BUFFER, 0, BUFFER.length, null);
      for (let written = 0; written < read; ) written += writeSync(copy, BUFFER, written, read - written);
      total += read;
      if (total > LIMITS.hard.file) throw fileTooLarge(name);
      if (read === 0 || (read < BUFFER.length && total >= size)) return total;
    }
  } finally {
    closeSync(copy);
  }
}

/** A first look, so that a link to a pipe or a device opens neither; what counts is checked after opening. */
function checkTarget(place: string, name: string): void {
  const stats = statTarget(place);
  if (stats === undefined) throw new SkillError("resource-not-found", `'${name}' is a link to nothing, or to itself.`);
  if (!stats.isFile() && !stats.isDirectory()) throw notCopied(name);
}

function statTarget(place: string): Stats | undefined {
  try {
    return statSync(place);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** A link to a folder that it lies in would never end. */
function checkNotWithin(
  { stats, relative }: OpenFolder & { readonly stats: Stats },
  above: readonly OpenFolder[],
): void {
  const isAbove = above.map(({ fd }) => fstatSync(fd)).some(({ ino, dev }) => ino === stats.ino && dev === stats.dev);
  if (isAbove) throw new SkillError("resource-not-found", `'${relative}' is a link to a folder that it lies in.`);
}

function notCopied(name: string): SkillError {
  return new SkillError(
    "resource-not-a-file",
    `'${name}' is neither a file nor a folder: pipes, sockets and devices are not copied.`,
  );
}

function fileTooLarge(name: string): SkillError {
  return new SkillError("resource-too-large", `'${name}' has more than ${LIMITS.hard.file} bytes.`);
}

function tooLarge(what: string): SkillError {
  return new SkillError("skill-too-large", `The skill has ${what}.`);
}
