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
import { copyOneFile, copyTree } from "../tree/copy-tree.ts";
import { makeOwnedFolder, removeOwnedFolder, sweepOwnedFolders } from "../tree/owned-folder.ts";
import { writeFiles } from "../tree/write-files.ts";
import type { InstallItem } from "./install-skills.ts";

const STAGING = ".skillset-staging-";

/** Skills on their way into a folder: written beside it, moved into it, or taken back. */
export class Installation {
  readonly #options: { readonly readOnly: boolean; readonly replace: boolean };
  #dir: string;
  #staging: string | undefined;
  /** Folders that were not there before, outermost first. */
  readonly #made: string[] = [];
  readonly #names: string[] = [];
  readonly #moved: string[] = [];
  readonly #replaced: string[] = [];

  constructor(dir: string, options: { readonly readOnly: boolean; readonly replace: boolean }) {
    this.#dir = dir;
    this.#options = options;
  }

  /** Makes a place beside the folder: within it, agents would see what is not finished. */
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
      throw new SkillError("skill-collision", "A skill of this name is installed there already.");
  }

  /** Yields now and then. */
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

  /** Where a skill is until it is moved into place. */
  stagedFolder(name: string): string {
    return this.#staged("skills", name);
  }

  finish(name: string): void {
    const manifest = lstatSync(this.#staged("skills", name, "SKILL.md"), { throwIfNoEntry: false });
    if (!manifest?.isFile()) throw new SkillError("source-not-found", "It has no SKILL.md.");
    if (manifest.size > LIMITS.hard.skillMd)
      throw new SkillError("skill-too-large", `Its SKILL.md has more than ${LIMITS.hard.skillMd} bytes.`);
  }

  /** Moves everything into place, at once where the folder is new; gives the folder of each skill. */
  publish(onSkill: (name: string) => void): readonly string[] {
    if (!this.#moveAll()) {
      for (const name of this.#names) {
        onSkill(name);
        this.#move(name);
      }
    }
    const folders = this.#names.map((name) => join(this.#dir, name));
    // A folder that cannot be written to cannot be moved either.
    if (this.#options.readOnly) for (const folder of folders) chmodSync(folder, lstatSync(folder).mode & 0o555);
    // What cannot be removed now is swept by whoever comes next.
    if (attempt(() => this.#discard()).length > 0) attempt(() => this.#discard());
    return folders;
  }

  /** Leaves everything as it was before; gives what went wrong with that. */
  undo(): readonly unknown[] {
    return [
      ...this.#moved.reverse().flatMap((name) => attempt(() => this.#takeBack(name))),
      ...this.#replaced.flatMap((name) =>
        attempt(() => renameSync(this.#staged("replaced", name), join(this.#dir, name))),
      ),
      ...attempt(() => this.#discard()),
      // Somebody else may have put something into it by now.
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

  /** One by one, so that those that were made are known when one fails. */
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

/** Unless one is root, a folder that is moved elsewhere must be writable itself. */
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
