import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { describeValue } from "../../core/text/describe-value.ts";
import { isWithin } from "../files/contained-read.ts";
import { withFileLock } from "../files/file-lock.ts";
import { type FolderContent, hashFolder, isSameContent, stampFolder } from "../skill-folder/folder-digest.ts";

/** The stored record of a trusted skill. */
export interface TrustRecord {
  /** The digest of each file, by path. A record without any trusts nothing. */
  readonly files: FolderContent;
  /** Avoids hashing the whole folder as long as no file was touched. */
  readonly stamp: string;
  readonly trustedAt: string;
}

/** Whether a skill's content is trusted, or why not. */
export type TrustState = "trusted" | "new" | "changed" | "too-large" | "unreadable";

/**
 * Stores in the user's config folder which project skills are trusted, with their content's digests.
 * @example
 * ```ts
 * import { TrustStore } from "skillset/node";
 *
 * new TrustStore().trust(["./.agents/skills/brew-tea"]);
 * ```
 */
export class TrustStore {
  readonly path: string;

  constructor(path: string = defaultPath()) {
    if (typeof path !== "string" || path === "")
      throw new SkillError("option-invalid", `new TrustStore() takes the path of a file, not ${describeValue(path)}.`);
    this.path = path;
  }

  /** Returns the records, by skill folder. */
  read(): ReadonlyMap<string, TrustRecord> {
    let fd: number;
    try {
      fd = openSync(this.path, "r");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return new Map();
      throw this.#unreadable(error);
    }
    try {
      checkOwner(dirname(this.path), statSync(dirname(this.path)));
      checkOwner(this.path, fstatSync(fd));
      return parseRecords(readFileSync(fd, "utf8"), this.path);
    } catch (error) {
      throw error instanceof SkillError ? error : this.#unreadable(error);
    } finally {
      closeSync(fd);
    }
  }

  /** Trusts the folders with their current content. */
  trust(folders: readonly string[]): void {
    if (!Array.isArray(folders))
      throw new SkillError("option-invalid", `trust() takes an array of folders, not ${describeValue(folders)}.`);
    this.remember(new Map(folders.map((folder) => [folder, recordFolder(folder)])));
  }

  /** Adds records, each under the real path of its skill's folder. */
  remember(added: ReadonlyMap<string, TrustRecord>): void {
    this.#change((records) => new Map([...records, ...added]));
  }

  /** Removes the trust of every skill in or below the folder. Returns their folders. */
  revoke(folder: string): readonly string[] {
    if (typeof folder !== "string")
      throw new SkillError("option-invalid", `revoke() takes one folder, not ${describeValue(folder)}.`);
    const revoked: string[] = [];
    this.#change((records) => {
      revoked.push(...[...records.keys()].filter((path) => isWithin(folder, path)));
      return revoked.length === 0 ? undefined : new Map([...records].filter(([path]) => !isWithin(folder, path)));
    });
    return revoked;
  }

  /** Reads, changes and writes the store under a lock. */
  #change(change: (records: ReadonlyMap<string, TrustRecord>) => ReadonlyMap<string, TrustRecord> | undefined): void {
    const lock = `${this.path}.lock`;
    const done = withFileLock(lock, () => {
      const changed = change(this.read());
      if (changed !== undefined) this.#write(changed);
    });
    if (done !== undefined) return;
    const message = `Another process is changing '${this.path}'. If none is running, remove '${lock}' and try again.`;
    throw new SkillError("trust-store-invalid", message);
  }

  #write(records: ReadonlyMap<string, TrustRecord>): void {
    checkOwner(dirname(this.path), statSync(dirname(this.path)));
    const temporary = `${this.path}.${process.pid}.tmp`;
    const skills = Object.fromEntries(
      [...records].map(([folder, record]) => [folder, { ...record, files: Object.fromEntries(record.files) }]),
    );
    try {
      writeFileSync(temporary, `${JSON.stringify({ version: 2, skills }, null, 2)}\n`, { mode: 0o600 });
      renameSync(temporary, this.path);
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  #unreadable(error: unknown): SkillError {
    const { code } = error as NodeJS.ErrnoException;
    return new SkillError("trust-store-invalid", `'${this.path}' cannot be read (${code}).`, { cause: error });
  }
}

/** Hashes everything in a skill's folder. */
export function recordFolder(folder: string): TrustRecord {
  if (!existsSync(join(folder, "SKILL.md")))
    throw new SkillError("source-not-found", `'${folder}' is not a skill folder: it has no SKILL.md.`);
  // Takes the stamp first, so that a file touched during hashing is hashed again on use.
  return { stamp: stampFolder(folder), files: hashFolder(folder), trustedAt: new Date().toISOString() };
}

/** Compares a skill folder with its record. Hashes the content only if a file was touched. */
export function checkTrust(folder: string, record: TrustRecord | undefined): TrustState {
  try {
    const stamp = stampFolder(folder);
    if (record === undefined || record.files.size === 0) return "new";
    return stamp === record.stamp || isSameContent(hashFolder(folder), record.files) ? "trusted" : "changed";
  } catch (error) {
    return error instanceof SkillError && error.code.endsWith("too-large") ? "too-large" : "unreadable";
  }
}

/** Not Node's `Stats`: the types of the main entry point need none of Node's. */
interface Owned {
  readonly uid: number;
  readonly mode: number;
  isDirectory(): boolean;
}

/** Another user who can write to the store could trust skills in the user's name. */
export function checkOwner(path: string, stats: Owned, effect = "ignored"): void {
  const { uid, mode } = stats;
  const own = process.geteuid?.();
  if (own === undefined) return;
  if (uid !== own && uid !== 0) {
    const message = `'${path}' belongs to another user, so it is ${effect}. Remove it, or run 'chown ${own}' on it.`;
    throw new SkillError("trust-store-invalid", message);
  }
  // In a sticky folder, such as /tmp, nobody can replace another user's file.
  if ((mode & 0o022) === 0 || (stats.isDirectory() && (mode & 0o1000) !== 0)) return;
  const message = `Other users can write to '${path}', so it is ${effect}. Run 'chmod go-w' on it.`;
  throw new SkillError("trust-store-invalid", message);
}

function defaultPath(): string {
  return join(configFolder(), "trust.json");
}

/** The user's config folder. A relative path would let a project provide its own trust store and settings. */
export function configFolder(): string {
  const { SKILLSET_CONFIG_HOME, XDG_CONFIG_HOME } = process.env;
  const folders = [
    SKILLSET_CONFIG_HOME,
    XDG_CONFIG_HOME && join(XDG_CONFIG_HOME, "skillset"),
    join(homedir(), ".config/skillset"),
  ];
  const folder = folders.find((candidate) => candidate !== undefined && isAbsolute(candidate));
  if (folder === undefined) {
    throw new SkillError(
      "trust-store-invalid",
      "No config folder: set HOME or SKILLSET_CONFIG_HOME to an absolute path.",
    );
  }
  return folder;
}

function parseRecords(text: string, path: string): ReadonlyMap<string, TrustRecord> {
  const fail = (cause?: unknown): never => {
    throw new SkillError(
      "trust-store-invalid",
      `'${path}' is corrupt. Rename or remove it, then trust your projects again.`,
      {
        cause,
      },
    );
  };
  try {
    const { version, skills } = JSON.parse(text) as { version?: unknown; skills?: Record<string, unknown> };
    if (version !== 2 || typeof skills !== "object" || skills === null) return fail();
    return new Map(Object.entries(skills).map(([folder, record]) => [folder, parseRecord(record)]));
  } catch (error) {
    return fail(error);
  }
}

function parseRecord(record: unknown): TrustRecord {
  const { files, stamp, trustedAt } = (record ?? {}) as { files?: object; stamp?: unknown; trustedAt?: unknown };
  return { files: new Map(Object.entries(files ?? {})), stamp: String(stamp), trustedAt: String(trustedAt) };
}
