import type { FileContent } from "../skill/memory-files.ts";
import type { ReadOptions } from "../skill/skill.ts";

/**
 * A place that skills come from, such as a registry, a database or a bucket. Nothing that it returns is trusted:
 * sizes, paths, encodings and frontmatter are checked as they are for folders, so a source need not check them.
 */
export interface SkillSource {
  /** How problems, lists of skills and models name the place, such as `registry acme`. */
  readonly name: string;
  /** Every skill there, in order of precedence. */
  list(options: ReadOptions): Promise<readonly SourceEntry[]>;
  /** One of the files that `list` returned for a folder; undefined when it no longer exists. */
  read(folder: string, path: string, options: ReadOptions): Promise<FileContent | undefined>;
  /** Changes when `list` would return something else. Without one, each reload lists everything again. */
  fingerprint?(options: ReadOptions): Promise<string | undefined>;
  /** Calls `onChange` when skills may have changed. Without it, `skillset.watch()` does not follow the source. */
  watch?(onChange: () => void, options: ReadOptions): SourceWatcher;
}

/** One skill of a source. */
export interface SourceEntry {
  /** The skill's folder within the source, such as `pdf` or `office/pdf`. Its last part must be the skill's name. */
  readonly folder: string;
  /** The whole SKILL.md. */
  readonly skillMd: FileContent;
  /** The other files. Only these can be read. */
  readonly files?: readonly SourceFile[];
}

export interface SourceFile {
  /** Relative to the skill's folder, with forward slashes. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Changes when the file is written, if that is known without reading it. */
  readonly stamp?: string;
}

/** Follows a source until it is closed. */
export interface SourceWatcher {
  /** Resolves once changes are followed. */
  readonly ready?: Promise<void>;
  close(): void | Promise<void>;
}

/** Whether a value has the shape of a source. */
export function isSource(value: unknown): value is SkillSource {
  if (typeof value !== "object" || value === null) return false;
  const { name, list, read } = value as Partial<SkillSource>;
  return typeof name === "string" && typeof list === "function" && typeof read === "function";
}
