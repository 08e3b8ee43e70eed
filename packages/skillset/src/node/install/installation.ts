import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { copyOneFile, copyTree } from "../copy/copy-tree.ts";
import { makeOwnedFolder, removeOwnedFolder, sweepOwnedFolders } from "../copy/owned-folder.ts";
import { writeFiles } from "../copy/write-files.ts";
import type { InstallItem } from "./install-skills.ts";

const STAGING = ".skillset-staging-";

/** An installation in progress: writes skills beside the folder, moves them into it, or undoes both. */
export class Installation {
  readonly #options: { readonly readOnly: boolean; readonly replace: boolean };
  #dir: string;
  #staging: string | undefined;
  /** Folders that this installation created, outermost first. */
  readonly #made: string[] = [];
  readonly #names: string[] = [];
  readonly #moved: string[] = [];
  readonly #replaced: string[] = [];

  constructor(dir: string, options: { readonly readOnly: boolean; readonly replace: boolean }) {
    this.#dir = dir;
    this.#options = options;
  }

  /** Creates a staging folder beside the target, so that agents do not see unfinished skills. */
  open(): void {
    if (existsSync(this.#dir)) this.#dir = realpathSync(this.#dir);
    const parent = dirname(this.#dir);
    this.#makeFolders(parent);
    this.#dir = join(realpathSync(parent), basename(this.#dir));
    sweepOwnedFolders(parent, STAGING);
    this.#staging = makeOwnedFolder(parent, STAGING);
    for (const name of ["skills", "replaced", "undone"]) mkdirSync(this.#staged(name));
  }

  checkFree(name: string): void {
    if (!this.#options.replace && isThere(join(this.#dir, name)))
      throw new SkillError("skill-collision", "A skill with this name is already installed there.");
  }

  /** Writes one skill. Yields regularly. */
  *write(item: InstallItem): Generator<void> {
    const folder = this.#staged("skills", item.name);
    const options = { symlinks: "contained", ...item, readOnly: this.#options.readOnly } as const;
    this.#names.push(item.name);
    if ("folder" in item) return yield* copyTree(item.folder, folder, options);
    mkdirSync(folder);
    if ("file" in item) return yield* copyOneFile(item.file, join(folder, "SKILL.md"), options);
    if (Buffer.byteLength(item.content) > LIMITS.hard.skillMd)
      throw new SkillError("skill-too-large", `Its SKILL.md has more than ${LIMITS.hard.skillMd} bytes.`);
    const mode = this.#options.readOnly ? 0o444 : 0o644;
    writeFileSync(join(folder, "SKILL.md"), item.content, { flag: "wx", mode });
    yield* writeFiles(folder, item.name, item.files ?? {}, options);
  }

  /** Returns the folder of a skill before it is moved into place. */
  stagedFolder(name: string): string {
    return this.#staged("skills", name);
  }

  finish(name: string): void {
    const manifest = lstatSync(this.#staged("skills", name, "SKILL.md"), { throwIfNoEntry: false });
    if (!manifest?.isFile()) throw new SkillError("source-not-found", "It has no SKILL.md.");
    if (manifest.size > LIMITS.hard.skillMd)
      throw new SkillError("skill-too-large", `Its SKILL.md has more than ${LIMITS.hard.skillMd} bytes.`);
  }

  /** Moves everything into place, in one step if the folder is new. Returns the folder of each skill. */
  publish(onSkill: (name: string) => void): readonly string[] {
    if (!this.#moveAll()) {
      for (const name of this.#names) {
        onSkill(name);
        this.#move(name);
      }
    }
    const folders = this.#names.map((name) => join(this.#dir, name));
    // A read-only folder cannot be moved.
    if (this.#options.readOnly) for (const folder of folders) chmodSync(folder, lstatSync(folder).mode & 0o555);
    // The next installation removes what cannot be removed now.
    if (attempt(() => this.#discard()).length > 0) attempt(() => this.#discard());
    return folders;
  }

  /** Restores the previous state. Returns the errors that occurred. */
  undo(): readonly unknown[] {
    return [
      ...this.#moved.reverse().flatMap((name) => attempt(() => this.#takeBack(name))),
      ...this.#replaced.flatMap((name) =>
        attempt(() => renameSync(this.#staged("replaced", name), join(this.#dir, name))),
      ),
      ...attempt(() => this.#discard()),
      // Another process may have written into it by now.
      ...this.#made.reverse().flatMap((folder) => attempt(() => removeIfEmpty(folder))),
    ];
  }

  #moveAll(): boolean {
    if (isThere(this.#dir)) return false;
    try {
      renameSync(this.#staged("skills"), this.#dir);
    } catch (error) {
      if (isTaken(error)) return false;
      throw error;
    }
    this.#made.push(this.#dir);
    this.#moved.push(...this.#names);
    return true;
  }

  #move(name: string): void {
    const place = join(this.#dir, name);
    this.checkFree(name);
    if (isThere(place)) {
      makeMovable(place);
      renameSync(place, this.#staged("replaced", name));
      this.#replaced.push(name);
    }
    renameSync(this.#staged("skills", name), place);
    this.#moved.push(name);
  }

  #takeBack(name: string): void {
    const place = join(this.#dir, name);
    makeMovable(place);
    renameSync(place, this.#staged("undone", name));
  }

  #discard(): void {
    if (this.#staging !== undefined) removeOwnedFolder(this.#staging);
    this.#staging = undefined;
  }

  #staged(...parts: readonly string[]): string {
    if (this.#staging === undefined) throw new Error("The installation is not open.");
    return join(this.#staging, ...parts);
  }

  /** Creates folders one by one, so that a failure leaves a list of those created. */
  #makeFolders(folder: string): void {
    if (existsSync(folder)) return;
    this.#makeFolders(dirname(folder));
    try {
      mkdirSync(folder);
      this.#made.push(folder);
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isTaken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EEXIST" || code === "ENOTEMPTY";
}

/** Without root, a folder must be writable to be moved. */
function makeMovable(place: string): void {
  const stats = lstatSync(place);
  if (stats.isDirectory()) chmodSync(place, (stats.mode & 0o777) | 0o200);
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!isTaken(error)) throw error;
  }
}

function attempt(action: () => void): readonly unknown[] {
  try {
    action();
    return [];
  } catch (error) {
    return [error];
  }
}
