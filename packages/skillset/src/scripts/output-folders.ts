import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SkillError } from "../core/base/errors.ts";
import { LIMITS } from "../core/base/limits.ts";
import type { ScriptFile, ScriptResult } from "../core/script/script.ts";
import type { ScriptOptions } from "../core/script/script-options.ts";
import type { SkillFiles } from "../core/skill/skill.ts";
import { normaliseRelative } from "../core/text/relative-path.ts";
import { makeTemporaryFolder } from "../node/copy/owned-folder.ts";
import { removeTree } from "../node/copy/remove-tree.ts";
import { FolderFiles } from "../node/skill-folder/folder-files.ts";

/** The output folder of one run. */
export interface OutputFolder {
  readonly path: string;
  /** Removes what is not a plain file or exceeds a limit, and returns what the run wrote. */
  collect(): Pick<ScriptResult, "files" | "droppedFiles">;
}

/** The folders for the files that scripts write, one for each session. */
export class OutputFolders {
  readonly #given: Pick<ScriptOptions, "folder" | "keepFor">;
  readonly #maxBytes: number;
  #base: string | undefined;

  constructor(options: Pick<ScriptOptions, "folder" | "keepFor">, maxBytes: number) {
    this.#given = options;
    this.#maxBytes = maxBytes;
  }

  /** The files of a session. Empty before its first script ran. */
  files(session: string): SkillFiles {
    const path = this.#pathOf(session);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return new FolderFiles(path);
  }

  remove(session: string): void {
    removeTree(this.#pathOf(session));
  }

  open(session: string, files: Readonly<Record<string, string>>): OutputFolder {
    const path = this.#pathOf(session);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    utimesSync(path, new Date(), new Date());
    for (const [given, text] of Object.entries(files)) writeInput(path, given, text);
    const before = new Map([...walk(path)].map(({ path: one, stamp }) => [one, stamp]));
    return { path, collect: () => this.#collect(path, before) };
  }

  #collect(root: string, before: ReadonlyMap<string, string>): Pick<ScriptResult, "files" | "droppedFiles"> {
    const files: ScriptFile[] = [];
    const droppedFiles: { path: string; reason: string }[] = [];
    let bytes = 0;
    let count = 0;
    for (const { path, kind, size, stamp, depth } of walk(root)) {
      count++;
      const reason = reasonToDrop({ path, kind, depth });
      const exceeds = bytes + size > this.#maxBytes || count > LIMITS.hard.filesInSkill;
      if (reason !== undefined || exceeds) {
        removeTree(join(root, path));
        // A script can create thousands.
        if (droppedFiles.length < LIMITS.shown.names) {
          droppedFiles.push({ path: shown(path), reason: reason ?? "it exceeds the limit for files" });
        }
        continue;
      }
      chmodSync(join(root, path), kind === "directory" ? 0o700 : 0o600);
      bytes += size;
      if (kind === "file" && before.get(path) !== stamp) files.push({ path, size });
    }
    return { files, droppedFiles };
  }

  #pathOf(session: string): string {
    this.#base ??= this.#openBase();
    return join(this.#base, createHash("sha256").update(session).digest("hex").slice(0, 32));
  }

  #openBase(): string {
    const { folder, keepFor = 7 * 24 * 60 * 60 * 1000 } = this.#given;
    if (folder === undefined) {
      const base = makeTemporaryFolder("skillset-outputs-");
      if (process.getuid?.() === 0) chmodSync(base, 0o711);
      return base;
    }
    mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    const base = realpathSync(folder);
    for (const name of readdirSync(base)) {
      const path = join(base, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined || !stats.isDirectory() || !/^[0-9a-f]{32}$/.test(name)) continue;
      if (Date.now() - stats.mtimeMs > keepFor) removeTree(path);
    }
    return base;
  }
}

function writeInput(root: string, given: string, text: string): void {
  const path = normaliseRelative(given.replace(/^\$(?:OUTPUT_DIR|\{OUTPUT_DIR\})\//, ""));
  if (path === ".") throw new SkillError("option-invalid", `'${shown(given)}' is not a path for a file.`);
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  // The folder has no links: they are removed after each run.
  writeFileSync(target, text, { mode: 0o600 });
}

interface Part {
  readonly path: string;
  readonly kind: "file" | "directory" | "other";
  readonly size: number;
  readonly stamp: string;
  readonly depth: number;
}

/** Walks a folder that no process uses, folders before their contents. A removed folder is not entered. */
function* walk(root: string, directory = "", depth = 1): Generator<Part> {
  for (const name of readdirSync(join(root, directory)).sort()) {
    const path = directory === "" ? name : `${directory}/${name}`;
    const full = join(root, path);
    const stats = lstatSync(full, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    const kind = stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other";
    const { ino, size, mtimeMs, ctimeMs } = stats;
    yield { path, kind, size: kind === "file" ? size : 0, stamp: `${ino}:${size}:${mtimeMs}:${ctimeMs}`, depth };
    if (kind === "directory" && lstatSync(full, { throwIfNoEntry: false })) yield* walk(root, path, depth + 1);
  }
}

function reasonToDrop({ path, kind, depth }: Pick<Part, "path" | "kind" | "depth">): string | undefined {
  if (kind === "other") return "it is a link or a special file";
  if (depth > LIMITS.hard.nesting) return "it is nested too deeply";
  if (/[\x00-\x1f\x7f\ufffd\\]/.test(path)) return "its name has characters that are not allowed";
  return undefined;
}

function shown(path: string): string {
  return JSON.stringify(path.slice(0, LIMITS.shown.pathCharacters)).slice(1, -1);
}
