import { realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { checkChoice } from "../../core/base/check-choice.ts";
import { SkillError, SkillRefError, type SkillRefReason } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { splitSkillMd } from "../../core/manifest/frontmatter.ts";
import type { Manifest } from "../../core/manifest/manifest.ts";
import { readSkillMd } from "../../core/manifest/parse.ts";
import { resolvePolicy } from "../../core/manifest/policy.ts";
import type { SkillRules } from "../../core/operations/activate-read.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { decodeText } from "../../core/text/cut-text.ts";
import { isWithin, readPart } from "../../node/files/contained-read.ts";
import { resolvePath } from "../../node/load/sources.ts";

/** Options for `SkillRef`. */
export interface SkillRefOptions {
  /** A skill's folder or its SKILL.md, or any Markdown file with frontmatter; absolute, or relative to `basePath`. */
  readonly path: string | URL;
  /**
   * The base of a relative path. Accepts `file:` URLs such as `new URL(".", import.meta.url)`.
   * @default process.cwd()
   */
  readonly basePath?: string | URL;
  /**
   * Whether the skill is included. A disabled reference is validated when it is enabled.
   * @default () => true
   */
  readonly enabled?: () => boolean;
  /**
   * The name that the frontmatter must have.
   * @default the name of the folder, or of the file without its extension
   */
  readonly name?: string;
  /**
   * Whether to follow links that leave the skill; with `contained`, they are errors.
   * @default "contained"
   */
  readonly symlinks?: "contained" | "follow";
}

/**
 * A reference to a skill in the file system. The constructor validates it; a disabled one is validated when it is
 * enabled.
 */
export class SkillRef {
  /** The absolute path of the folder or file. */
  readonly resolvedPath: string;
  readonly symlinks: "contained" | "follow";
  readonly #enabled: (() => boolean) | undefined;
  readonly #givenName: string | undefined;
  #manifest: Manifest | undefined;

  constructor(options: SkillRefOptions) {
    checkOptions("new SkillRef()", options, OPTIONS);
    const { path, basePath = process.cwd(), enabled, name, symlinks = "contained" } = options;
    if (path === "" || !(typeof path === "string" || path instanceof URL))
      throw new SkillError("option-invalid", `A SkillRef requires the path of a skill; got ${JSON.stringify(path)}.`);
    checkChoice("symlinks", symlinks, ["contained", "follow"]);
    const resolved = resolvePath(textOf(path), resolvePath(textOf(basePath), process.cwd()));
    this.resolvedPath = basename(resolved) === "SKILL.md" ? dirname(resolved) : resolved;
    this.symlinks = symlinks;
    this.#enabled = enabled;
    this.#givenName = name;
    Object.freeze(this);
    if (this.isEnabled()) this.validate();
  }

  /** The path of the file with the instructions. */
  get skillMdPath(): string {
    return this.isFile ? this.resolvedPath : join(this.resolvedPath, "SKILL.md");
  }

  /** Whether the reference is a single Markdown file instead of a folder. */
  get isFile(): boolean {
    return !this.#stats().isDirectory();
  }

  /** The name in the frontmatter. */
  get name(): string {
    return this.#known().name;
  }

  /** The description in the frontmatter. */
  get description(): string {
    return this.#known().description;
  }

  /** What the skill allows while it is active. */
  get rules(): SkillRules {
    const { allowedTools, extra } = this.#known();
    return { allowedTools, extra };
  }

  /** Whether the skill is included. */
  isEnabled(): boolean {
    return this.#enabled === undefined || Boolean(this.#enabled());
  }

  /** Throws a `SkillRefError` unless the path contains a valid skill. */
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

  /** Reads the instructions again. */
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

  /** `readPart` checks the location of the opened file, so the file that is read is the one that was checked. */
  #readText(): string {
    const path = this.skillMdPath;
    let file: string;
    try {
      file = realpathSync(path);
      const isContained = this.isFile || isWithin(realpathSync(this.resolvedPath), file);
      if (!isContained && this.symlinks === "contained")
        throw this.#error(
          "invalid-frontmatter",
          'SKILL.md is a link that leaves the skill\'s folder. Set symlinks: "follow" on the SkillRef to allow it.',
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

const OPTIONS: OptionTable<SkillRefOptions> = {
  path: true,
  basePath: true,
  enabled: true,
  name: true,
  symlinks: true,
};
