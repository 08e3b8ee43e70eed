import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import type { Manifest } from "../../core/manifest/manifest.ts";
import { readSkillMd } from "../../core/manifest/parse.ts";
import type { Policy } from "../../core/manifest/policy.ts";
import type { FolderOrigin, ReadOptions, SkillFile, SkillFiles } from "../../core/skill/skill.ts";
import { type PlacedContent, readPlaced } from "../files/contained-read.ts";
import { digestContent, hashFile, hashFolder, isSameContent } from "../skill-folder/folder-digest.ts";
import { FolderFiles } from "../skill-folder/folder-files.ts";
import { FolderSkill } from "../skill-folder/folder-skill.ts";
import { isCopyOf } from "../skill-folder/is-copy-of.ts";
import { type FolderReading, headOf } from "../skill-folder/read-skill-folder.ts";
import { checkTrust, type TrustRecord } from "./trust.ts";

/** A trusted project skill. It returns the same bytes that it compared with the record. */
export class TrustedSkill extends FolderSkill {
  readonly #record: TrustRecord;

  constructor(manifest: Manifest, origin: FolderOrigin, record: TrustRecord) {
    super(manifest, origin);
    this.#record = record;
    Object.freeze(this);
  }

  override get isTrusted(): boolean {
    return true;
  }

  override get files(): SkillFiles {
    const files = new FolderFiles(this.origin.folder);
    return {
      list: async (directory?: string, options?: ReadOptions): Promise<readonly SkillFile[]> => {
        const listed = await files.list(directory, options);
        // File names reach the model too.
        return listed.filter(({ path }) => this.#record.files.has(path));
      },
      read: async (path: string, options?: ReadOptions): Promise<Uint8Array> =>
        this.#checked(files.readPlaced(path, options)),
    };
  }

  override async digest({ signal }: ReadOptions = {}): Promise<string> {
    signal?.throwIfAborted();
    const content = hashFolder(this.origin.folder);
    if (!isSameContent(content, this.#record.files)) throw this.#locked();
    return digestContent(content);
  }

  /** Throws unless a copy of the skill, with links replaced by their targets, has the trusted content. */
  checkCopy(folder: string): void {
    if (!isCopyOf(folder, this.origin.folder, this.#record.files)) throw this.#locked();
  }

  protected override readSkillMd(): Uint8Array {
    return this.#checked(readPlaced(this.origin.folder, "SKILL.md", SKILL_MD));
  }

  /** Any other change in the skill locks it too. */
  #checked(content: PlacedContent): Uint8Array {
    const isTrusted = isRecorded(content, this.#record) && checkTrust(this.origin.folder, this.#record) === "trusted";
    if (!isTrusted) throw this.#locked();
    return content.bytes;
  }

  #locked(): SkillError {
    return new SkillError("skill-locked", `Skill '${this.name}' is locked: it has changed since it was trusted.`);
  }
}

/** Reads the frontmatter again, from bytes that match the record. Returns undefined if they differ. */
export function loadTrusted(
  { foundAs, origin }: Pick<FolderReading, "foundAs" | "origin">,
  record: TrustRecord,
  policy: Policy,
): TrustedSkill | undefined {
  try {
    const content = readPlaced(origin.folder, "SKILL.md", SKILL_MD);
    const head = isRecorded(content, record) ? headOf(content.bytes) : undefined;
    if (typeof head !== "string") return undefined;
    const { manifest } = readSkillMd(head, { policy, folder: foundAs });
    return manifest && new TrustedSkill(manifest, origin, record);
  } catch (error) {
    if (error instanceof SkillError) return undefined;
    throw error;
  }
}

const SKILL_MD = { maxBytes: LIMITS.hard.skillMd };

function isRecorded({ bytes, place }: PlacedContent, { files }: TrustRecord): boolean {
  return files.get(place) === hashFile(bytes);
}
