import type { ScriptEnd, ScriptLimits, ScriptOutput } from "skillset/scripts";

/** Files by path, each with the SHA-256 of its content. */
export type FileDigests = Readonly<Record<string, string>>;

/** The body of `POST /runs/:id`. */
export interface RunRequest {
  readonly skill: FileDigests;
  readonly output: FileDigests;
  readonly script: string;
  readonly args: readonly string[];
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: ScriptLimits;
}

/** A line of the answer to `POST /runs/:id`. */
export type RunLine =
  | ({ readonly type: "output" } & ScriptOutput)
  /** Shows that the connection works. */
  | { readonly type: "alive" }
  /** The last line, with all files in the output folder. */
  | { readonly type: "end"; readonly end: ScriptEnd; readonly output: FileDigests };

/** The answer to `GET /check`. */
export interface CheckAnswer {
  readonly level: string;
  readonly failure?: string;
}

export const MOST_FILES = 2_000;
export const LARGEST_FILE = 100_000_000;
export const ALIVE_EVERY = 5_000;

const DIGEST = /^[0-9a-f]{64}$/;

export function isDigest(value: unknown): value is string {
  return typeof value === "string" && DIGEST.test(value);
}

/** Whether a path can only lead to a file within its folder. Both sides check what the other one sends. */
export function isPlainPath(path: string): boolean {
  if (path === "" || Buffer.byteLength(path) > 1_024 || /[\p{Cc}\p{Cs}\\]/u.test(path)) return false;
  const parts = path.split("/");
  return parts.length <= 16 && parts.every((part) => !["", ".", ".."].includes(part) && Buffer.byteLength(part) <= 255);
}

/** Parses files by path. Undefined if anything is wrong with them. */
export function parseFiles(value: unknown): FileDigests | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  const isValid =
    entries.length <= MOST_FILES && entries.every(([path, digest]) => isPlainPath(path) && isDigest(digest));
  return isValid ? Object.fromEntries(entries) : undefined;
}
