import { realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { SkillError, SkillRefError, type SkillRefReason } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { splitSkillMd } from "../../core/manifest/frontmatter.ts";
import type { Manifest } from "../../core/manifest/manifest.ts";
import { readSkillMd } from "../../core/manifest/parse.ts";
import { checkChoice, resolvePolicy } from "../../core/manifest/policy.ts";
import { decodeText } from "../../core/text/cut-text.ts";
import { isWithin, readPart } from "../../node/files/contained-read.ts";
import { resolvePath } from "../../node/load/sources.ts";

export interface SkillRefOptions {
  /** A skill's folder or its SKILL.md, or any Markdown file with frontmatter; absolute, or relative to `basePath`. */
  readonly path: string | URL;
  /** The working folder by default; a `file:` address such as `new URL(".", import.meta.url)` will do. */
  readonly basePath?: string | URL;
  /** A reference that is not enabled is not looked at before it is. */
  readonly enabled?: () => boolean;
  /** The name that the frontmatter must have; that of the folder, or of the file without its ending, by default. */
  readonly name?: string;
  /** Whether links that leave the skill are followed; they are errors by default. */
  readonly symlinks?: "contained" | "follow";
}

/** A skill that is kept elsewhere in the file system. What is wrong with it is said when the reference is made. */
export class SkillRef {
  /** The absolute path of the folder or file. */
  readonly resolvedPath: string;
  readonly symlinks: "contained" | "follow";
  readonly #enabled: (() => boolean) | undefined;
  readonly #givenName: string | undefined;
  #manifest: Manifest | undefined;

  constructor({ path, basePath = process.cwd(), enabled, name, symlinks = "contained" }: SkillRefOptions) {
    if (path === "" || !(typeof path === "string" || path instanceof URL))
      throw new SkillError("option-invalid", `A SkillRef needs the path of a skill; got ${JSON.stringify(path)}.`);
    checkChoice("symlinks", symlinks, ["contained", "follow"]);
    const resolved = resolvePath(textOf(path), resolvePath(textOf(basePath), process.cwd()));
    this.resolvedPath = basename(resolved) === "SKILL.md" ? dirname(resolved) : resolved;
    this.symlinks = symlinks;
    this.#enabled = enabled;
    this.#givenName = name;
    Object.freeze(this);
    if (this.isEnabled()) this.validate();
  }

  /** The file with the instructions. */
  get skillMdPath(): string {
    return this.isFile ? this.resolvedPath : join(this.resolvedPath, "SKILL.md");
  }

  /** Whether it is one Markdown file instead of a folder. */
  get isFile(): boolean {
    return !this.#stats().isDirectory();
  }

  get name(): string {
    return this.#known().name;
  }

  get description(): string {
    return this.#known().description;
  }

  isEnabled(): boolean {
    return this.#enabled === undefined || Boolean(this.#enabled());
  }

  /** Throws a `SkillRefError` unless there is a skill that follows the standard. */
  validate(): void {
    const folder = this.#givenName ?? basename(this.resolvedPath, this.isFile ? extname(this.resolvedPath) : "");
    const path = this.skillMdPath;
    const { manifest, problems } = readSkillMd(this.#readText(), { policy: STANDARD, folder, path });
    if (manifest === undefined) {
      const { message = "", fix } = problems.find(({ severity }) => severity === "error") ?? {};
      throw this.#error("invalid-frontmatter", fix === undefined ? message : `${message} ${fix}`);
    }
    this.#manifest = manifest;
  }

  /** The instructions, read anew. */
  readBody(): string {
    const split = splitSkillMd(this.#readText());
    if (!split.ok) throw this.#error("invalid-frontmatter", split.message);
    return split.body;
  }

  #known(): Manifest {
    if (this.#manifest === undefined) this.validate();
    return this.#manifest as Manifest;
  }

  #stats(): Stats {
    let stats: Stats | undefined;
    try {
      stats = statSync(this.resolvedPath, { throwIfNoEntry: false });
    } catch (error) {
      throw this.#error("not-found", `it cannot be read (${(error as NodeJS.ErrnoException).code}).`, error);
    }
    if (stats === undefined) throw this.#error("not-found");
    const isMarkdown = stats.isFile() && /^\.(?:md|markdown)$/i.test(extname(this.resolvedPath));
    if (!stats.isDirectory() && !isMarkdown) throw this.#error("not-directory");
    return stats;
  }

  /** What is read is what was looked at: `readPart` checks where the opened file is. */
  #readText(): string {
    const path = this.skillMdPath;
    let file: string;
    try {
      file = realpathSync(path);
      const isContained = this.isFile || isWithin(realpathSync(this.resolvedPath), file);
      if (!isContained && this.symlinks === "contained")
        throw this.#error(
          "invalid-frontmatter",
          'SKILL.md is a link that leaves the skill\'s folder; give the SkillRef symlinks: "follow" if that is meant.',
        );
    } catch (error) {
      if (error instanceof SkillError) throw error;
      throw this.#error("missing-skill-md", undefined, error);
    }
    try {
      return decodeText(readPart(dirname(file), basename(file), { maxBytes: LIMITS.hard.skillMd }), "SKILL.md");
    } catch (error) {
      throw this.#error("invalid-frontmatter", error instanceof Error ? error.message : undefined, error);
    }
  }

  #error(reason: SkillRefReason, details?: string, cause?: unknown): SkillRefError {
    return new SkillRefError(this.resolvedPath, reason, details, cause === undefined ? undefined : { cause });
  }
}

const STANDARD = resolvePolicy({ policy: "standard" });

function textOf(path: string | URL): string {
  return path instanceof URL ? path.href : path;
}
