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
  /** How to handle a link that leaves the folder: `contained` throws, `follow` copies the target. */
  readonly symlinks: "contained" | "follow";
  readonly readOnly: boolean;
  /** Real paths of folders. Opened files must be in one of them. Anywhere if omitted. */
  readonly within?: readonly string[];
  /** How much may be copied. The limits of a skill if omitted. */
  readonly budget?: CopyBudget;
  /**
   * Skips pipes, sockets and devices instead of throwing.
   * @default false
   */
  readonly skipsSpecial?: boolean;
}

/**
 * Copies a folder, by default within the limits of a skill. Replaces links with their targets, keeps modes except
 * setuid, setgid and sticky bits, and copies only files and folders. Yields after each file, and within large ones, so
 * that the caller can pause or stop. Leaves the top folder writable, because it could not be moved otherwise.
 */
export function* copyTree(folder: string, target: string, options: CopyTreeOptions): Generator<void> {
  const given = realpathSync(folder);
  const fd = openSync(given, FOLDER);
  try {
    // The opened folder counts, not what the path pointed to before.
    const root = openedPath(fd, given);
    if (root === "" || !isAllowed(root, options)) throw outside(folder);
    const copy = new TreeCopy(root, options);
    yield* copy.folder({ fd, path: root, relative: "" }, target, []);
    chmodSync(target, copy.modeOf(fstatSync(fd)) | 0o200);
  } finally {
    closeSync(fd);
  }
}

/** Copies one file. Follows a link, because the caller chose it. */
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
  return new SkillError("resource-outside-skill", `'${path}' is outside the allowed folders.`);
}

const FILE = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
const FOLDER = FILE | constants.O_DIRECTORY;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** An open folder of the tree. */
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
    // The path may point elsewhere by now. That is safe, because the names are looked up in the open folder.
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

  /** Opens an entry. The opened file is copied, even if its path points elsewhere by now. */
  #open(entry: Dirent, { fd: parent, path, relative }: OpenFolder): OpenPart {
    const name = relative === "" ? entry.name : `${relative}/${entry.name}`;
    const own = `${path}/${entry.name}`;
    // Below an open folder, no link on the way can be swapped in.
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
    // A clone has all mode bits until they are removed, so files with setuid, setgid or sticky bits are not cloned.
    const isLarge = stats.size > BUFFER.length && IS_LINUX && (stats.mode & 0o7000) === 0;
    if (isLarge && cloneFile(`/proc/self/fd/${fd}`, target, mode)) this.#count(name, 0, statSync(target).size);
    else yield* this.#copyPieces(fd, name, target, { mode, size: stats.size });
  }

  /** Copies to the end, even if the file grows meanwhile, up to the limit. */
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

  /** Returns the mode without setuid, setgid and sticky bits, and without write bits if read-only. The owner can read. */
  modeOf(stats: Stats): number {
    const kept = stats.mode & (this.#options.readOnly ? 0o555 : 0o777);
    const least = this.#options.readOnly ? 0o400 : 0o600;
    return kept | (stats.isDirectory() ? least | 0o100 : least);
  }
}

const IS_LINUX = process.platform === "linux";
/** Shared: its content is written before anything else runs. */
const BUFFER = Buffer.allocUnsafeSlow(256 * 1024);

/** Tries to make a copy-on-write clone. Returns whether the file system supports it. */
function cloneFile(place: string, target: string, mode: number): boolean {
  try {
    copyFileSync(place, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
  } catch {
    // Most file systems do not support it. Any other error occurs with a plain copy too.
    return false;
  }
  chmodSync(target, mode);
  return true;
}

/** Replaces the descriptor's path with the file's path in errors. */
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

/** A first check, so that a link to a pipe or a device is never opened. The opened file is checked again. */
function checkTarget(place: string, name: string): void {
  const stats = statTarget(place);
  if (stats === undefined) throw new SkillError("resource-not-found", `'${name}' is a broken link.`);
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

/** A link to a folder above it would recurse without end. */
function checkNotWithin({ stats, relative }: OpenPart, above: readonly OpenFolder[]): void {
  const isAbove = above.map(({ fd }) => fstatSync(fd)).some(({ ino, dev }) => ino === stats.ino && dev === stats.dev);
  if (isAbove) throw new SkillError("resource-not-found", `'${relative}' links to a folder that contains it.`);
}

function notCopied(name: string): SkillError {
  return new SkillError(
    "resource-not-a-file",
    `'${name}' is neither a file nor a folder. Pipes, sockets and devices are not copied.`,
  );
}
