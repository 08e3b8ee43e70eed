import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SkillError } from "../core/base/errors.ts";
import type { Redactor } from "../core/script/redactor.ts";
import type { ScriptResult } from "../core/script/script.ts";
import type { ScriptOptions } from "../core/script/script-options.ts";
import type { SkillFiles } from "../core/skill/skill.ts";
import { normaliseRelative } from "../core/text/relative-path.ts";
import { removeTree } from "../node/copy/remove-tree.ts";
import { FolderFiles } from "../node/skill-folder/folder-files.ts";
import { hideInBytes } from "./hide-in-bytes.ts";
import { type CleanFolder, cleanFolder, reasonToDrop, shownName } from "./process/clean-folder.ts";
import { makeScriptFolder } from "./process/shared-folder.ts";
import { openReachable } from "./reachable-folder.ts";
import { markRun, removeKilledRun, unmarkRun } from "./run-marker.ts";

/** The output folder of one run. */
export interface OutputFolder {
  readonly path: string;
  /** Where its files are after `collect()`. */
  readonly kept: string;
  /** Removes what is not a plain file or exceeds a limit, and returns what the run wrote. */
  collect(): Promise<CollectedFiles>;
  /** Called once the files contain no secrets. Otherwise a later process removes them. */
  settle(): void;
}

/** What a run left in its folder. */
export interface CollectedFiles extends Pick<ScriptResult, "files" | "droppedFiles"> {
  /** Every file that the run may have written, also if it hides that. */
  readonly touched: ScriptResult["files"];
}

/** A run with secrets, or after one. */
interface SecretsOfRun {
  readonly redactor: Redactor;
  /** How long the run may take. */
  readonly time: number;
}

/** What hides the secrets in the folder of each running script. Shared, because a reload opens the folders again. */
const UNSETTLED = new Map<string, Redactor>();

/** The folders for the files that scripts write, one for each session. */
export class OutputFolders {
  readonly #given: Pick<ScriptOptions, "folder" | "keepFor">;
  readonly #maxBytes: number;
  #base: string | undefined;
  #sweptAt = 0;

  constructor(options: Pick<ScriptOptions, "folder" | "keepFor">, maxBytes: number) {
    this.#given = options;
    this.#maxBytes = maxBytes;
  }

  /** The files of a session. Empty before its first script ran. */
  files(session: string): Pick<SkillFiles, "list" | "read"> {
    const open = async (): Promise<OpenFiles> => {
      const kept = await this.#open(session);
      return { files: new FolderFiles(kept, { maxBytes: this.#maxBytes }), redactorNow: () => UNSETTLED.get(kept) };
    };
    return withoutSecrets(open);
  }

  /** Removes the files of a session. */
  remove(session: string): void {
    const kept = this.#pathOf(session);
    removeTree(kept);
    unmarkRun(kept);
  }

  /** Opens the folder for a run, and writes the given files to it. */
  async open(
    session: string,
    files: Readonly<Record<string, string | Uint8Array>>,
    secrets?: SecretsOfRun,
  ): Promise<OutputFolder> {
    const clean = (folder: string): Promise<CleanFolder> => cleanFolder(folder, this.#maxBytes);
    const kept = await this.write(session, files);
    const { path, close } = openReachable(kept);
    const before = await clean(path);
    if (secrets !== undefined) {
      UNSETTLED.set(kept, secrets.redactor);
      markRun(kept, { files: before.sizes.keys(), time: secrets.time });
    }
    return {
      path,
      kept,
      collect: async () => {
        // The files of the session can be removed during a run, for example with the conversation.
        if (!existsSync(kept)) {
          close();
          return { files: [], droppedFiles: [], touched: [] };
        }
        const { stamps, changes, sizes, droppedFiles } = await clean(path);
        close();
        const filesWith = (isWanted: (path: string) => boolean): ScriptResult["files"] =>
          [...sizes].filter(([one]) => isWanted(one)).map(([one, size]) => ({ path: one, size }));
        const isChanged = (one: string): boolean => before.stamps.get(one) !== stamps.get(one);
        const touched = filesWith((one) => isChanged(one) || before.changes.get(one) !== changes.get(one));
        return { files: filesWith(isChanged), droppedFiles, touched };
      },
      settle: () => {
        UNSETTLED.delete(kept);
        unmarkRun(kept);
      },
    };
  }

  /** Writes files to the folder, and returns its path. No script of the session may run meanwhile. */
  async write(session: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
    const kept = await this.#open(session);
    utimesSync(kept, new Date(), new Date());
    // A process that ended during a run leaves links behind, and writing would follow them.
    const { sizes } = await cleanFolder(kept, this.#maxBytes);
    const bytes = [...sizes.values(), ...Object.values(files).map((content) => Buffer.byteLength(content))];
    // Otherwise they would be removed again before the script starts.
    if (Object.keys(files).length > 0 && bytes.reduce((sum, one) => sum + one, 0) > this.#maxBytes)
      throw new SkillError("option-invalid", `'files' exceed the limit: a session may have ${this.#maxBytes} bytes.`);
    for (const [given, content] of Object.entries(files)) writeInput(kept, given, content);
    return kept;
  }

  async #open(session: string): Promise<string> {
    const path = this.#pathOf(session);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    await removeKilledRun(path, this.#maxBytes, UNSETTLED.has(path));
    return path;
  }

  #pathOf(session: string): string {
    if (this.#base === undefined || lstatSync(this.#base, { throwIfNoEntry: false }) === undefined)
      this.#base = openBase(this.#given.folder);
    if (this.#given.folder !== undefined) this.#sweep(this.#base);
    return join(this.#base, createHash("sha256").update(session).digest("hex").slice(0, 32));
  }

  /** Removes the folders of unused sessions, at most once an hour. */
  #sweep(base: string): void {
    const { keepFor = 7 * 24 * HOUR } = this.#given;
    if (Date.now() - this.#sweptAt < HOUR) return;
    this.#sweptAt = Date.now();
    for (const name of readdirSync(base)) {
      const path = join(base, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined || !stats.isDirectory() || !/^[0-9a-f]{32}(?:\.next|\.old)?$/.test(name)) continue;
      if (Date.now() - stats.mtimeMs <= keepFor) continue;
      try {
        removeTree(path);
        unmarkRun(path);
      } catch {
        // A folder that cannot be removed must not stop other sessions.
      }
    }
  }
}

interface OpenFiles {
  readonly files: FolderFiles;
  redactorNow(): Redactor | undefined;
}

/** The files of a running script may contain its secrets. They are replaced when it ends, also while a file is read. */
function withoutSecrets(open: () => Promise<OpenFiles>): Pick<SkillFiles, "list" | "read"> {
  return {
    list: async (directory, options) => {
      const { files, redactorNow } = await open();
      const redactor = redactorNow();
      const entries = await files.list(directory, options);
      return entries.filter(({ path }) => !(redactorNow() ?? redactor)?.finds(path));
    },
    read: async (path, options) => {
      const { files, redactorNow } = await open();
      const redactor = redactorNow();
      const bytes = await files.read(path, options);
      const current = redactorNow() ?? redactor;
      return current === undefined ? bytes : hideInBytes(path, bytes, current, options?.signal);
    },
  };
}

const HOUR = 60 * 60 * 1000;

/** As root, others may pass through it: the sandbox runs as another user. */
function openBase(folder: string | undefined): string {
  if (folder === undefined) return makeScriptFolder("skillset-outputs-");
  try {
    mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    return realpathSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = `Files of scripts cannot be kept: the folder of the option 'scripts.folder' is not usable (${code}).`;
    throw new SkillError("script-refused", message, { cause: error });
  }
}

function writeInput(root: string, given: string, content: string | Uint8Array): void {
  const path = normaliseRelative(given.replace(/^\$(?:OUTPUT_DIR|\{OUTPUT_DIR\})\//, ""));
  const invalid = (why: string): SkillError =>
    new SkillError("option-invalid", `The file '${shownName(given)}' cannot be written: ${why}.`);
  if (path === ".") throw invalid("it is not a path for a file");
  const reason = reasonToDrop({ path, kind: "file" });
  if (reason !== undefined) throw invalid(reason);
  const target = join(root, path);
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeFileSync(target, content, { mode: 0o600 });
  } catch (error) {
    // The system's message contains the folder's path.
    throw invalid(`the system refuses it (${(error as NodeJS.ErrnoException).code})`);
  }
}
