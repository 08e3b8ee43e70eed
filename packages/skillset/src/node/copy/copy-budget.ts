import { SkillError, type SkillErrorCode } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";

export interface CopyLimits {
  /** What is copied, for errors. */
  readonly what: "skill" | "mount";
  /** The maximum number of files, and of folders. */
  readonly files: number;
  /** The maximum total bytes. */
  readonly bytes: number;
  /** The maximum bytes of one file. */
  readonly file: number;
  readonly nesting: number;
  /** The error code for too many files, folders or bytes. */
  readonly code: SkillErrorCode;
}

/** The limits of a skill. */
export const SKILL_LIMITS: CopyLimits = {
  what: "skill",
  files: LIMITS.hard.filesInSkill,
  bytes: LIMITS.hard.skill,
  file: LIMITS.hard.file,
  nesting: LIMITS.hard.nesting,
  code: "skill-too-large",
};

/** Counts copied files and throws over the limit, by default that of a skill. Several copies may share one budget. */
export class CopyBudget {
  readonly limits: CopyLimits;
  #files = 0;
  #folders = 0;
  #bytes = 0;

  constructor(limits: CopyLimits = SKILL_LIMITS) {
    this.limits = limits;
  }

  /** The bytes copied so far. */
  get bytes(): number {
    return this.#bytes;
  }

  addFolder(depth: number): void {
    const { files, nesting } = this.limits;
    if (depth > nesting) throw this.#tooLarge(`folders nested more than ${nesting} deep`);
    if (++this.#folders > files) throw this.#tooLarge(`more than ${files} folders`);
  }

  addFile(name: string, size: number): void {
    const { files } = this.limits;
    if (++this.#files > files) throw this.#tooLarge(`more than ${files} files`);
    this.checkFile(name, size);
  }

  checkFile(name: string, size: number): void {
    const { file } = this.limits;
    if (size > file) throw new SkillError("resource-too-large", `'${name}' has more than ${file} bytes.`);
  }

  addBytes(count: number): void {
    const { bytes } = this.limits;
    this.#bytes += count;
    if (this.#bytes > bytes) throw this.#tooLarge(`more than ${bytes} bytes`);
  }

  #tooLarge(has: string): SkillError {
    return new SkillError(this.limits.code, `The ${this.limits.what} has ${has}.`);
  }
}
