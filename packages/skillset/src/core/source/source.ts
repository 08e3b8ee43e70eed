import type { FileContent } from "../skill/memory-files.ts";
import type { ReadOptions } from "../skill/skill.ts";

/**
 * Provides skills from a registry, a database, a bucket or the like. Its results are untrusted: sizes, paths, encodings
 * and frontmatter are validated as for folders, so a source need not validate them.
 */
export interface SkillSource {
  /** The name in problems, lists and model messages, such as `registry acme`. */
  readonly name: string;
  /** Returns all skills, in order of precedence. */
  list(options: ReadOptions): Promise<readonly SourceEntry[]>;
  /** Reads a file that `list` returned for a folder. Returns undefined if it no longer exists. */
  read(folder: string, path: string, options: ReadOptions): Promise<FileContent | undefined>;
  /** Returns a text that changes when the result of `list` changes. Without it, each reload lists all skills again. */
  fingerprint?(options: ReadOptions): Promise<string | undefined>;
  /** Calls `onChange` when skills may have changed. Without it, `skillset.watch()` does not watch the source. */
  watch?(onChange: () => void, options: ReadOptions): SourceWatcher;
}

/** One skill from a source. */
export interface SourceEntry {
  /** The skill's folder within the source, such as `pdf` or `office/pdf`. Its last part must be the skill's name. */
  readonly folder: string;
  /** The content of SKILL.md. */
  readonly skillMd: FileContent;
  /** The other files. Only these can be read. */
  readonly files?: readonly SourceFile[];
}

export interface SourceFile {
  /** Relative to the skill's folder, with forward slashes. */
  readonly path: string;
  /** The size in bytes. */
  readonly size: number;
  /** Changes when the file changes, if known without reading it. */
  readonly stamp?: string;
}

/** Watches a source until it is closed. */
export interface SourceWatcher {
  /** Resolves once the source is being watched. */
  readonly ready?: Promise<void>;
  close(): void | Promise<void>;
}

/** Whether a value has the shape of a source. */
export function isSource(value: unknown): value is SkillSource {
  if (typeof value !== "object" || value === null) return false;
  const { name, list, read } = value as Partial<SkillSource>;
  return typeof name === "string" && typeof list === "function" && typeof read === "function";
}
