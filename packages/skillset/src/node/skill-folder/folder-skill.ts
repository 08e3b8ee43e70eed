import { isUtf8 } from "node:buffer";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { splitSkillMd } from "../../core/manifest/frontmatter.ts";
import type { Manifest } from "../../core/manifest/manifest.ts";
import { ManifestSkill } from "../../core/skill/manifest-skill.ts";
import type { FolderOrigin, ReadOptions, SkillFiles, StoredSkill } from "../../core/skill/skill.ts";
import { hashAtOnceWith } from "../../core/text/sha256.ts";
import { readContained } from "../files/contained-read.ts";
import { digestFolder } from "./folder-digest.ts";
import { FolderFiles } from "./folder-files.ts";

// Loaded on first use, because the import takes time.
let nodeCrypto: typeof import("node:crypto") | undefined;
hashAtOnceWith((content) => {
  nodeCrypto ??= process.getBuiltinModule("node:crypto");
  return nodeCrypto.hash("sha256", content);
});

/** A skill in a folder. Keeps only the frontmatter in memory. A class keeps ten thousand instances small. */
export class FolderSkill extends ManifestSkill implements StoredSkill {
  readonly origin: FolderOrigin;

  constructor(manifest: Manifest, origin: FolderOrigin) {
    super(manifest);
    this.origin = origin;
    // A subclass freezes itself after setting its fields.
    if (new.target === FolderSkill) Object.freeze(this);
  }

  get basePath(): string {
    return this.origin.folder;
  }

  get location(): string {
    return `${this.origin.folder}/SKILL.md`;
  }

  get stamp(): string {
    const { ino, size, mtimeMs, ctimeMs } = this.origin.stamp;
    return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  }

  get isTrusted(): boolean {
    return this.origin.scope === "given" || this.origin.scope === "bundled";
  }

  get files(): SkillFiles {
    return new FolderFiles(this.origin.folder);
  }

  async instructions({ signal }: ReadOptions = {}): Promise<string> {
    signal?.throwIfAborted();
    const split = splitSkillMd(decodeSkillMd(this.readSkillMd()));
    if (!split.ok)
      throw new SkillError(
        "skill-invalid",
        `Skill '${this.name}' has changed and can no longer be read: ${split.message}`,
      );
    return split.body;
  }

  async digest({ signal }: ReadOptions = {}): Promise<string> {
    signal?.throwIfAborted();
    return digestFolder(this.origin.folder);
  }

  protected readSkillMd(): Uint8Array {
    return readContained(this.origin.folder, "SKILL.md", SKILL_MD);
  }
}

const SKILL_MD = { maxBytes: LIMITS.hard.skillMd };

/** Reads a folder's SKILL.md as text. */
export function readSkillMdText(folder: string): string {
  return decodeSkillMd(readContained(folder, "SKILL.md", SKILL_MD));
}

/** Decodes strict UTF-8 without NUL bytes. */
function decodeSkillMd(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new SkillError("resource-not-text", "SKILL.md is not valid UTF-8.");
  if (bytes.includes(0)) throw new SkillError("resource-not-text", "SKILL.md has a NUL byte.");
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
