import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { SkillError } from "../core/errors.ts";
import { isWithin } from "./contained-read.ts";
import { digestFolder, stampFolder } from "./folder-files.ts";

/** What is remembered of a skill that was trusted. */
export interface TrustRecord {
  readonly digest: string;
  /** Spares hashing the content as long as no file was touched. */
  readonly stamp: string;
  readonly trustedAt: string;
}

/** Whether a skill's content is what was trusted, and if not, why not. */
export type TrustState = "trusted" | "new" | "changed" | "too-large" | "unreadable";

/** Remembers, in the user's own config folder, which project skills were trusted and with what content. */
export class TrustStore {
  readonly path: string;

  constructor(path: string = defaultPath()) {
    this.path = path;
  }

  /** The records by skill folder. */
  read(): ReadonlyMap<string, TrustRecord> {
    let text: string;
    try {
      text = readFileSync(this.path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return new Map();
      throw new SkillError(
        "trust-store-invalid",
        `'${this.path}' cannot be read (${(error as NodeJS.ErrnoException).code}).`,
        { cause: error },
      );
    }
    return parseRecords(text, this.path);
  }

  /** Trusts the folders with the content that they have now. */
  trust(folders: readonly string[]): void {
    for (const folder of folders) {
      if (!existsSync(join(folder, "SKILL.md"))) {
        throw new SkillError("source-not-found", `'${folder}' is not a skill's folder: it has no SKILL.md.`);
      }
    }
    const trustedAt = new Date().toISOString();
    const added = folders.map((folder): [string, TrustRecord] => [
      folder,
      { stamp: stampFolder(folder), digest: digestFolder(folder), trustedAt },
    ]);
    this.#write(new Map([...this.read(), ...added]));
  }

  /** Forgets every skill in or below the folder; gives those it forgot. */
  revoke(folder: string): readonly string[] {
    const records = this.read();
    const revoked = [...records.keys()].filter((path) => isWithin(folder, path));
    if (revoked.length > 0) this.#write(new Map([...records].filter(([path]) => !isWithin(folder, path))));
    return revoked;
  }

  #write(records: ReadonlyMap<string, TrustRecord>): void {
    const temporary = `${this.path}.${process.pid}.tmp`;
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(temporary, `${JSON.stringify({ version: 1, skills: Object.fromEntries(records) }, null, 2)}\n`, {
        mode: 0o600,
      });
      renameSync(temporary, this.path);
    } finally {
      rmSync(temporary, { force: true });
    }
  }
}

/** Compares a skill folder with what was trusted; content is hashed only when a file was touched. */
export function checkTrust(folder: string, record: TrustRecord | undefined): TrustState {
  try {
    const stamp = stampFolder(folder);
    if (record === undefined) return "new";
    return stamp === record.stamp || digestFolder(folder) === record.digest ? "trusted" : "changed";
  } catch (error) {
    return error instanceof SkillError && error.code.endsWith("too-large") ? "too-large" : "unreadable";
  }
}

/** A relative folder would let a project bring its own trust. */
function defaultPath(): string {
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
  return join(folder, "trust.json");
}

function parseRecords(text: string, path: string): ReadonlyMap<string, TrustRecord> {
  const fail = (cause?: unknown): never => {
    throw new SkillError("trust-store-invalid", `'${path}' is damaged. Move it away and trust your projects again.`, {
      cause,
    });
  };
  try {
    const { version, skills } = JSON.parse(text) as { version?: unknown; skills?: Record<string, TrustRecord> };
    if (version !== 1 || typeof skills !== "object" || skills === null) return fail();
    return new Map(Object.entries(skills).filter(([, record]) => typeof record?.digest === "string"));
  } catch (error) {
    return fail(error);
  }
}
