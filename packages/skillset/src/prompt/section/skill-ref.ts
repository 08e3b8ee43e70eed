import { basename, dirname } from "node:path";
import { checkChoice } from "../../core/base/check-choice.ts";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import { splitSkillMd } from "../../core/manifest/frontmatter.ts";
import type { SkillRules } from "../../core/operations/activate-read.ts";
import { defineSkill } from "../../core/skill/define-skill.ts";
import type { Skill } from "../../core/skill/skill.ts";
import { selectEach } from "../../core/source/select.ts";
import { unmetProblems } from "../../core/source/unavailable.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { cutText } from "../../core/text/cut-text.ts";
import type { InstallItem } from "../../node/install/install-skills.ts";
import { resolvePath } from "../../node/load/sources.ts";
import { checkRequirementsSync } from "../../node/requirements/check-requirements.ts";
import { CheckedRefs } from "./checked-refs.ts";
import { isRefToFile, type ReadRef, type RefPlace, readRef, readRefText, refError, skillMdPathOf } from "./read-ref.ts";
import { renameCopy } from "./rename-copy.ts";
import { withDirectory } from "./skill-directory.ts";

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
   * The name of the skill in the prompt and where it is installed, instead of the one in its frontmatter.
   * @default the name in the frontmatter, which must be that of the folder, or of the file without its extension
   */
  readonly name?: string;
  /**
   * Leaves the skill out if its requirements are not met, and reports them in `problems`.
   * @default true
   */
  readonly requirements?: boolean;
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
  /** Checks the references of a section. Without Node there are none, so it belongs to this class. */
  static readonly Checked = CheckedRefs;

  /** The absolute path of the folder or file. */
  readonly resolvedPath: string;
  readonly symlinks: "contained" | "follow";
  /** Whether the skill is left out if its requirements are not met. */
  readonly requirements: boolean;
  readonly #enabled: (() => boolean) | undefined;
  readonly #givenName: string | undefined;
  #read: ReadRef | undefined;
  #problems: readonly Problem[] = [];

  constructor(options: SkillRefOptions) {
    checkOptions("new SkillRef()", options, OPTIONS);
    const { path, basePath = process.cwd(), enabled, name, symlinks = "contained", requirements = true } = options;
    if (path === "" || !(typeof path === "string" || path instanceof URL))
      throw new SkillError("option-invalid", `A SkillRef requires the path of a skill; got ${JSON.stringify(path)}.`);
    checkChoice("symlinks", symlinks, ["contained", "follow"]);
    checkChoice("requirements", requirements, [true, false]);
    // Throws for a name that no skill may have.
    if (name !== undefined) defineSkill({ name, description: "Checks the name.", body: "" });
    const resolved = resolvePath(textOf(path), resolvePath(textOf(basePath), process.cwd()));
    this.resolvedPath = basename(resolved) === "SKILL.md" ? dirname(resolved) : resolved;
    this.symlinks = symlinks;
    this.requirements = requirements;
    this.#enabled = enabled;
    this.#givenName = name;
    Object.freeze(this);
    if (this.isEnabled()) this.validate();
  }

  /** The path of the file with the instructions. */
  get skillMdPath(): string {
    return skillMdPathOf(this.#place);
  }

  /** Whether the reference is a single Markdown file instead of a folder. */
  get isFile(): boolean {
    return isRefToFile(this.#place);
  }

  /** The given name, or the one in the frontmatter. */
  get name(): string {
    return this.skill.name;
  }

  /** The description in the frontmatter. */
  get description(): string {
    return this.skill.description;
  }

  /** What the skill allows while it is active. */
  get rules(): SkillRules {
    const { allowedTools, extra } = this.skill;
    return { allowedTools, extra };
  }

  /** The skill, as it was read last. */
  get skill(): Skill {
    return (this.#read ?? this.#readAgain()).skill;
  }

  /** What is wrong with the skill although it can be used, and which of its requirements are not met. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Whether the skill is included. */
  isEnabled(): boolean {
    return this.#enabled === undefined || Boolean(this.#enabled());
  }

  /** Throws a `SkillRefError` unless the path contains a valid skill. */
  validate(): void {
    this.#readAgain();
  }

  /** Returns what installs the skill, validated again: it may have changed since the reference was created. */
  installItem(): InstallItem {
    this.validate();
    const { name, isFile, resolvedPath, symlinks } = this;
    const check = (copy: string): void => renameCopy(copy, name);
    const item = { name, source: "ref", ...(this.#givenName !== undefined && { check }) } as const;
    return isFile ? { ...item, file: resolvedPath } : { ...item, folder: resolvedPath, symlinks };
  }

  /** Reads the instructions again. */
  readBody(): string {
    const split = splitSkillMd(readRefText(this.#place));
    if (!split.ok) throw refError(this.#place, "invalid-frontmatter", split.message);
    return split.body;
  }

  #readAgain(): ReadRef {
    const read = readRef(this.#place, this.#givenName);
    // Whoever looked up what an unchanged skill requires recognizes it.
    if (read.text !== this.#read?.text) this.#read = read;
    this.#problems = Object.freeze([...read.problems, ...(this.requirements ? lacks(read.skill) : [])]);
    return this.#read ?? read;
  }

  /** Returns the instructions for a model, cut at the same length as on activation; with the folder, if it is shown. */
  readInstructions({ showDirectory }: { readonly showDirectory: boolean }): string {
    const { text } = cutText(this.readBody(), LIMITS.soft.skillMd, "SKILL.md");
    return showDirectory && !this.isFile ? withDirectory(text, this.resolvedPath) : text;
  }

  get #place(): RefPlace {
    return { path: this.resolvedPath, symlinks: this.symlinks };
  }
}

/** What the skill itself requires and this machine lacks. Other skills are looked up by its section. */
function lacks(skill: Skill): readonly Problem[] {
  return unmetProblems(selectEach(checkRequirementsSync([{ kind: "skill", skill }])).entries);
}

function textOf(path: string | URL): string {
  return path instanceof URL ? path.href : path;
}

const OPTIONS: OptionTable<SkillRefOptions> = {
  path: true,
  basePath: true,
  enabled: true,
  name: true,
  requirements: true,
  symlinks: true,
};
