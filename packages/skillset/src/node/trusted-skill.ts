import { SkillError } from "../core/errors.ts";
import type { ReadOptions, SkillFile, SkillFiles } from "../core/skill.ts";
import { FolderFiles } from "./folder-files.ts";
import { FolderSkill } from "./folder-skill.ts";
import { checkTrust, type TrustRecord } from "./trust.ts";

/** A project's skill whose content was trusted: what it gives is checked to be that content still. */
export class TrustedSkill extends FolderSkill {
  readonly #record: TrustRecord;

  constructor(skill: FolderSkill, record: TrustRecord) {
    super(skill, skill.origin);
    this.#record = record;
  }

  override get files(): SkillFiles {
    const files = new FolderFiles(this.origin.folder);
    return {
      list: (directory?: string, options?: ReadOptions): Promise<readonly SkillFile[]> =>
        files.list(directory, options),
      read: (path: string, options?: ReadOptions): Promise<Uint8Array> => this.#checked(files.read(path, options)),
    };
  }

  override async instructions(options: ReadOptions = {}): Promise<string> {
    return this.#checked(super.instructions(options));
  }

  /** After reading: what was swapped in before is noticed, and what is swapped in later was not read. */
  async #checked<Content>(reading: Promise<Content>): Promise<Content> {
    const content = await reading;
    if (checkTrust(this.origin.folder, this.#record) === "trusted") return content;
    throw new SkillError("skill-locked", `Skill '${this.name}' has changed since it was trusted, and is locked.`);
  }
}
