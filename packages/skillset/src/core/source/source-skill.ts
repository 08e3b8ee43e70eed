import { SkillError } from "../base/errors.ts";
import { untilAborted } from "../base/until-aborted.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { changeMark } from "../skill/fingerprint.ts";
import { ListedFiles } from "../skill/listed-files.ts";
import { ManifestSkill } from "../skill/manifest-skill.ts";
import { describeContents } from "../skill/memory-files.ts";
import type { ReadOptions, Skill, SkillFile, SkillFiles, SourceOrigin } from "../skill/skill.ts";
import { readAll } from "../skill/skill-parts.ts";
import { sha256 } from "../text/sha256.ts";
import type { SkillSource } from "./source.ts";

/** The validated content of a skill. */
export interface CheckedEntry {
  readonly manifest: Manifest;
  readonly folder: string;
  readonly skillMd: string;
  readonly body: string;
  readonly files: readonly SkillFile[];
}

/** A skill from a source. Its validated SKILL.md is in memory. Files are fetched when they are read. */
export class SourceSkill extends ManifestSkill implements Skill {
  readonly origin: SourceOrigin;
  readonly stamp: string;
  readonly files: SkillFiles;
  readonly #body: string;

  constructor(source: SkillSource, { manifest, folder, skillMd, body, files }: CheckedEntry, stamp: string) {
    super(manifest);
    this.origin = Object.freeze({ kind: "source", source: source.name, folder });
    this.stamp = stamp;
    const bytes = new TextEncoder().encode(skillMd);
    const itself: SkillFile = { path: "SKILL.md", kind: "file", size: bytes.length, stamp: changeMark([skillMd]) };
    this.files = new ListedFiles(manifest.name, [itself, ...files], async (path, options) =>
      path === "SKILL.md" ? bytes.slice() : fetchFile(source, folder, path, options),
    );
    this.#body = body;
    Object.freeze(this);
  }

  get location(): string {
    return locationIn(this.origin.source, this.origin.folder);
  }

  get provider(): string {
    return this.origin.source;
  }

  async instructions({ signal }: ReadOptions = {}): Promise<string> {
    signal?.throwIfAborted();
    return this.#body;
  }

  async digest(options: ReadOptions = {}): Promise<string> {
    const files = await this.files.list(".", options);
    const read = (path: string): Promise<Uint8Array> => this.files.read(path, options);
    return sha256(await describeContents(await readAll({ files, read }, options)));
  }
}

/** Returns the location of a folder's SKILL.md, for problems. */
export function locationIn(source: string, folder: string): string {
  return `${source}/${folder}/SKILL.md`;
}

async function fetchFile(source: SkillSource, folder: string, path: string, options: ReadOptions): Promise<Uint8Array> {
  const { signal } = options;
  let content: unknown;
  try {
    content = await untilAborted(signal, source.read(folder, path, options));
  } catch (error) {
    signal?.throwIfAborted();
    // A model sees this message, so the source's error is only in the cause.
    throw new SkillError("resource-not-found", `'${path}' cannot be read: its source failed.`, { cause: error });
  }
  if (content === undefined) throw new SkillError("resource-not-found", `'${path}' does not exist in this skill.`);
  if (typeof content === "string") return new TextEncoder().encode(content);
  if (content instanceof Uint8Array) return content;
  throw new SkillError("resource-not-found", `'${path}' cannot be read: its source returned neither text nor bytes.`);
}
