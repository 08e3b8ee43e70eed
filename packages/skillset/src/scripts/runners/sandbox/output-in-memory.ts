import { execFile } from "node:child_process";
import { closeSync, constants, copyFileSync, existsSync, mkdirSync, openSync, readdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { ScriptResult } from "../../../core/script/script.ts";
import { removeLargeTree } from "../../../node/copy/remove-tree.ts";
import { type CleanFolder, cleanFolder } from "../../process/clean-folder.ts";
import { onPath } from "../../process/find-interpreter.ts";
import { MOST_ENTRIES } from "../../process/folder-size.ts";
import { createBreaks } from "../../process/take-breaks.ts";
import { INSIDE } from "./profile.ts";

/** How many temporary files a script may have. Each takes about a kilobyte of the kernel's memory. */
const MOST_TEMPORARY = 100_000;

/** The times of files advance in steps of at most 10 milliseconds. */
const FILE_CLOCK = 12;

/** The user that starts the sandbox, if it is another one. */
type User = { readonly uid?: number; readonly gid?: number };

/**
 * The folders of a sandbox that are in memory, seen from outside. They are kept until `close()`, also when every process
 * of the sandbox is gone. So the kernel limits what a script can write, in whatever way, and nobody changes the files
 * while they are copied.
 */
export class OutputInMemory {
  readonly #path: string;
  readonly #output: number;
  readonly #others: readonly number[];
  #before: CleanFolder | undefined;

  /** Opens the folders of the sandbox with this first process, before the script starts. */
  constructor(pid: string) {
    const open = (inside: string): number =>
      openSync(`/proc/${pid}/root${inside}`, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    this.#path = `/proc/${pid}/root${INSIDE.output}`;
    this.#output = open(INSIDE.output);
    this.#others = [INSIDE.temporary, "/dev/shm"].map(open);
  }

  get folder(): string {
    return `/proc/self/fd/${this.#output}`;
  }

  /** Whether no more bytes fit, or there are very many files: the kernel limits only their bytes. */
  get isFull(): boolean {
    const use = (fd: number) => statfsSync(`/proc/self/fd/${fd}`);
    const { bfree, files, ffree } = use(this.#output);
    const others = this.#others.map(use).reduce((sum, one) => sum + one.files - one.ffree, 0);
    return bfree === 0 || files - ffree > MOST_ENTRIES || others > MOST_TEMPORARY;
  }

  /** Copies the files of a folder into the sandbox. Root cannot create files there, so the sandbox's user does it. */
  async fill(folder: string, user: User): Promise<void> {
    if (readdirSync(folder).length > 0) {
      const [program = "cp"] = onPath("cp");
      await promisify(execFile)(program, ["-RPp", `${folder}/.`, this.#path], { ...user, env: {}, cwd: "/" });
      // What the script changes must have a later time.
      await pause(FILE_CLOCK);
    }
    this.#before = await cleanFolder(this.folder, Number.MAX_SAFE_INTEGER);
  }

  /** Removes what must not be kept, and makes the folder equal to what is left. No process of the sandbox exists. */
  async copyTo(folder: string, maxBytes: number): Promise<ScriptResult["droppedFiles"]> {
    const after = await cleanFolder(this.folder, maxBytes);
    // The files of the session can be removed during a run.
    if (!existsSync(folder)) return [];
    const before = this.#before;
    const takeBreak = createBreaks();
    const isKept = (path: string): boolean => before?.changes.get(path) === after.changes.get(path);
    const folders = new Set(after.folders);
    for (const path of before?.changes.keys() ?? []) if (!isKept(path)) await removeLargeTree(join(folder, path));
    for (const path of before?.folders ?? []) if (!folders.has(path)) await removeLargeTree(join(folder, path));
    for (const path of folders) mkdirSync(join(folder, path), { recursive: true, mode: 0o700 });
    for (const path of after.changes.keys()) {
      if (isKept(path)) continue;
      await takeBreak();
      copyFileSync(join(this.folder, path), join(folder, path), constants.COPYFILE_EXCL);
    }
    return after.droppedFiles;
  }

  close(): void {
    for (const fd of [this.#output, ...this.#others]) closeSync(fd);
  }
}
