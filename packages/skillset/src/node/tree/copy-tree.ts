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
import { SkillError } from "../../core/base/errors.ts";
import { isWithin, openedPath } from "../files/contained-read.ts";
import { CopyBudget } from "./copy-budget.ts";

export interface CopyTreeOptions {
  /** What becomes of a link that leads out of the folder: an error, or a copy of what it leads to. */
  readonly symlinks: "contained" | "follow";
  readonly readOnly: boolean;
  /** Folders, as real paths: what is copied must be in one of them when it is opened. Anywhere by default. */
  readonly within?: readonly string[];
  /** How much may be copied; by default, what a skill may have. */
  readonly budget?: CopyBudget;
  /** Leaves out pipes, sockets and devices, which are errors otherwise. */
  readonly skipsSpecial?: boolean;
}

/**
 * Copies a folder, by default within the limits of a skill. Links become what they lead to, modes are kept but for
 * setuid, setgid and sticky bits, and nothing but files and folders is copied. Yields after each file, and within
 * large ones, so that the caller may pause or stop. The copy's own folder is left writable: it could not be moved
 * otherwise.
 */
export function* copyTree(folder: string, target: string, options: CopyTreeOptions): Generator<void> {
  const given = realpathSync(folder);
  const fd = openSync(given, FOLDER);
  try {
    // What was opened counts, not what the path led to before.
    const root = openedPath(fd, given);
    if (root === "" || !isAllowed(root, options)) throw outside(folder);
    const copy = new TreeCopy(root, options);
    yield* copy.folder({ fd, path: root, relative: "" }, target, []);
    chmodSync(target, copy.modeOf(fstatSync(fd)) | 0o200);
  } finally {
    closeSync(fd);
  }
}

/** Copies one file as it is; a link is followed, because the caller named it. */
export function* copyOneFile(file: string, target: string, options: CopyTreeOptions): Generator<void> {
  const copy = new TreeCopy("/", options);
  if (!statSync(file).isFile()) throw new SkillError("resource-not-a-file", `'${file}' is not a file.`);
  const fd = openSync(file, FILE);
  try {
    if (options.within !== undefined && !isAllowed(openedPath(fd, file), options)) throw outside(file);
    yield* copy.file({ fd, relative: file, stats: fstatSync(fd) }, target);
  } finally {
    closeSync(fd);
  }
}

function isAllowed(opened: string, { within }: CopyTreeOptions): boolean {
  return within === undefined || within.some((root) => isWithin(root, opened));
}

function outside(path: string): SkillError {
  return new SkillError("resource-outside-skill", `'${path}' is outside the folders that it may be in.`);
}

const FILE = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
const FOLDER = FILE | constants.O_DIRECTORY;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** A folder of the tree that is open. */
interface OpenFolder {
  readonly fd: number;
  readonly path: string;
  /** Its path within the tree. */
  readonly relative: string;
}

type OpenPart = OpenFolder & { readonly stats: Stats };

class TreeCopy {
  readonly #root: string;
  readonly #options: CopyTreeOptions;
  readonly #budget: CopyBudget;

  constructor(root: string, options: CopyTreeOptions) {
    this.#root = root;
    this.#options = options;
    this.#budget = options.budget ?? new CopyBudget();
  }

  *folder(from: OpenFolder, target: string, above: readonly OpenFolder[]): Generator<void> {
    this.#budget.addFolder(above.length);
    mkdirSync(target, { mode: 0o700 });
    const within = [...above, from];
    // Its path may lead elsewhere by now; but names are only names, and are looked up in the folder that is open.
    const entries = readdirSync(from.path, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (this.#options.skipsSpecial && isSpecial(entry)) continue;
      const part = this.#open(entry, from);
      try {
        const copy = `${target}/${entry.name}`;
        if (part.stats.isDirectory()) {
          if (entry.isSymbolicLink()) checkNotWithin(part, within);
          yield* this.folder(part, copy, within);
          chmodSync(copy, this.modeOf(part.stats));
        } else yield* this.file(part, copy);
      } finally {
        closeSync(part.fd);
      }
      yield;
    }
  }

  /** What was opened is what is copied, wherever its path leads by now. */
  #open(entry: Dirent, { fd: parent, path, relative }: OpenFolder): OpenPart {
    const name = relative === "" ? entry.name : `${relative}/${entry.name}`;
    const own = `${path}/${entry.name}`;
    // Below a folder that is open, no link on the way can be swapped in.
    const place = IS_LINUX ? `/proc/self/fd/${parent}/${entry.name}` : own;
    const isLink = entry.isSymbolicLink();
    if (isLink) namingPath(place, own, () => checkTarget(place, name));
    else if (isSpecial(entry)) throw notCopied(name);
    const fd = namingPath(place, own, () => openSync(place, isLink ? FILE : FILE | constants.O_NOFOLLOW));
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
    const { what } = this.#budget.limits;
    const otherwise = what === "skill" ? ', or allow such links with symlinks: "follow"' : "";
    const message = `'${name}' is a link that leaves the ${what}. Copy the file into the ${what}${otherwise}.`;
    throw new SkillError("resource-outside-skill", message);
  }

  *file({ fd, relative: name, stats }: Omit<OpenPart, "path">, target: string): Generator<void> {
    if (!stats.isFile()) throw notCopied(name);
    this.#budget.addFile(name, stats.size);
    const mode = this.modeOf(stats);
    // A clone has all bits of the mode until they are taken away; so not for those that nobody may ever have.
    const isLarge = stats.size > BUFFER.length && IS_LINUX && (stats.mode & 0o7000) === 0;
    if (isLarge && cloneFile(`/proc/self/fd/${fd}`, target, mode)) this.#count(name, 0, statSync(target).size);
    else yield* this.#copyPieces(fd, name, target, { mode, size: stats.size });
  }

  /** To the end, even when the file grows meanwhile, up to the limit. */
  *#copyPieces(
    fd: number,
    name: string,
    target: string,
    { mode, size }: { readonly mode: number; readonly size: number },
  ): Generator<void> {
    const copy = openSync(target, NEW_FILE, mode);
    try {
      for (let total = 0; ; ) {
        const read = readSync(fd, BUFFER, 0, BUFFER.length, null);
        for (let written = 0; written < read; ) written += writeSync(copy, BUFFER, written, read - written);
        this.#count(name, total, read);
        total += read;
        if (read === 0 || (read < BUFFER.length && total >= size)) return;
        yield;
      }
    } finally {
      closeSync(copy);
    }
  }

  #count(name: string, before: number, added: number): void {
    this.#budget.checkFile(name, before + added);
    this.#budget.addBytes(added);
  }

  /** Its own bits, without setuid, setgid and sticky, and without writing when it is read-only. The owner may read. */
  modeOf(stats: Stats): number {
    const kept = stats.mode & (this.#options.readOnly ? 0o555 : 0o777);
    const least = this.#options.readOnly ? 0o400 : 0o600;
    return kept | (stats.isDirectory() ? least | 0o100 : least);
  }
}

const IS_LINUX = process.platform === "linux";
/** One for all: what is read into it is written before anything else runs. */
const BUFFER = Buffer.allocUnsafeSlow(256 * 1024);

/** Whether the file system made a copy that shares the original's blocks until one of them is written to. */
function cloneFile(place: string, target: string, mode: number): boolean {
  try {
    copyFileSync(place, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
  } catch {
    // Most file systems cannot. Whatever else is wrong is wrong with a plain copy too.
    return false;
  }
  chmodSync(target, mode);
  return true;
}

/** Errors name the file's own path, not the descriptor that it is reached through. */
function namingPath<Result>(place: string, path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined || place === path) throw error;
    const named = new Error(
      message.replace(place, () => path),
      { cause: error },
    );
    throw Object.assign(named, { code, syscall, path });
  }
}

function isSpecial(entry: Dirent): boolean {
  return !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink();
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
function checkNotWithin({ stats, relative }: OpenPart, above: readonly OpenFolder[]): void {
  const isAbove = above.map(({ fd }) => fstatSync(fd)).some(({ ino, dev }) => ino === stats.ino && dev === stats.dev);
  if (isAbove) throw new SkillError("resource-not-found", `'${relative}' is a link to a folder that it lies in.`);
}

function notCopied(name: string): SkillError {
  return new SkillError(
    "resource-not-a-file",
    `'${name}' is neither a file nor a folder: pipes, sockets and devices are not copied.`,
  );
}
