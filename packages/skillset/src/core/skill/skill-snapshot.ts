import { SkillError } from "../base/errors.ts";
import { splitSkillMd } from "../manifest/frontmatter.ts";
import { type Manifest, manifestOf } from "../manifest/manifest.ts";
import { checkOptions, type OptionTable } from "../text/check-options.ts";
import { describeValue } from "../text/describe-value.ts";
import { ListedFiles } from "./listed-files.ts";
import { ManifestSkill } from "./manifest-skill.ts";
import type { FileContent } from "./memory-files.ts";
import type { InlineOrigin, ReadOptions, Skill, SkillFile, SkillFiles } from "./skill.ts";

/** A skill without the contents of its files, as JSON: its frontmatter, the list of its files, and its digest. */
export interface SkillSnapshot extends Manifest {
  /** The path of its SKILL.md, for problems. */
  readonly location?: string;
  /** With SKILL.md. */
  readonly files: readonly Pick<SkillFile, "path" | "kind" | "size">[];
  readonly digest: string;
}

/**
 * Reads everything about a skill but the contents of its files, for `restoreSkill()`. Throws for a skill in code.
 * @example
 * ```ts
 * import { createSkillset, restoreSkill, snapshotSkill } from "skillset";
 *
 * const [skill] = (await createSkillset(["./skills"])).skills;
 * if (skill !== undefined) {
 *   const json = JSON.stringify(await snapshotSkill(skill));
 *   const restored = restoreSkill(JSON.parse(json), (path) => skill.files.read(path));
 *   console.log(restored.name);
 * }
 * ```
 */
export async function snapshotSkill(skill: Skill, options: ReadOptions = {}): Promise<SkillSnapshot> {
  if (typeof (skill as Partial<Skill> | null | undefined)?.files?.list !== "function")
    throw new SkillError(
      "option-invalid",
      `snapshotSkill() takes a skill, such as one of skillset.skills, not ${describeValue(skill)}.`,
    );
  checkOptions("snapshotSkill()", options, OPTIONS);
  const files = (await skill.files.list(".", options)).map(({ path, kind, size }) => ({ path, kind, size }));
  if (!files.some(({ path }) => path === "SKILL.md"))
    throw new SkillError("option-invalid", `Skill '${skill.name}' has no SKILL.md. Import the module that defines it.`);
  const { location } = skill;
  const digest = await skill.digest(options);
  return { ...manifestOf(skill), ...(location !== undefined && { location }), files, digest };
}

const OPTIONS: OptionTable<ReadOptions> = { signal: true };

/** Returns the content of one file of a skill. The path is one of the snapshot. */
export type ReadSnapshotFile = (path: string, options: ReadOptions) => Promise<FileContent>;

/**
 * Returns a skill that was loaded elsewhere, such as by a bundler plugin at build time. Instructions and files are read
 * when they are used. Nothing is validated again: restore only what your own program wrote.
 * @example
 * ```ts
 * import { restoreSkill, type SkillSnapshot } from "skillset";
 *
 * const SKILL_MD = "---\nname: brew-tea\ndescription: Brews tea.\n---\nBoil water.\n";
 * const snapshot: SkillSnapshot = {
 *   name: "brew-tea",
 *   description: "Brews tea.",
 *   metadata: {},
 *   allowedTools: [],
 *   extra: {},
 *   modelInvocable: true,
 *   userInvocable: true,
 *   files: [{ path: "SKILL.md", kind: "file", size: SKILL_MD.length }],
 *   digest: "sha256:…",
 * };
 * const tea = restoreSkill(snapshot, async () => SKILL_MD);
 * console.log(await tea.instructions());
 * ```
 */
export function restoreSkill(snapshot: SkillSnapshot, read: ReadSnapshotFile): Skill {
  if (typeof snapshot?.name !== "string" || !Array.isArray(snapshot.files) || typeof read !== "function") {
    throw new SkillError("option-invalid", "restoreSkill() requires the result of snapshotSkill() and a function.");
  }
  return new RestoredSkill(snapshot, read);
}

class RestoredSkill extends ManifestSkill implements Skill {
  readonly origin: InlineOrigin = INLINE;
  readonly isTrusted = true;
  readonly location?: string;
  readonly stamp: string;
  readonly files: SkillFiles;

  constructor(snapshot: SkillSnapshot, read: ReadSnapshotFile) {
    super(manifestOf(snapshot));
    for (const part of [snapshot.metadata, snapshot.allowedTools, snapshot.extra]) Object.freeze(part);
    if (snapshot.location !== undefined) this.location = snapshot.location;
    this.stamp = snapshot.digest;
    const listed = snapshot.files.map((file) => ({ ...file, stamp: snapshot.digest }));
    // Copied, because the caller may change the bytes that it gets.
    const fetch = async (path: string, options: ReadOptions) => copyOf(await read(path, options));
    this.files = new ListedFiles(snapshot.name, listed, fetch);
    Object.freeze(this);
  }

  async instructions(options: ReadOptions = {}): Promise<string> {
    const split = splitSkillMd(decode(await this.files.read("SKILL.md", options)));
    if (!split.ok) throw new SkillError("skill-invalid", `Skill '${this.name}' cannot be read: ${split.message}`);
    return split.body;
  }

  async digest({ signal }: ReadOptions = {}): Promise<string> {
    signal?.throwIfAborted();
    return this.stamp;
  }
}

const INLINE: InlineOrigin = Object.freeze({ kind: "inline" });

function copyOf(content: FileContent): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(content);
}

/** Decodes strict UTF-8 without NUL bytes, as for folders. */
function decode(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    throw new SkillError("resource-not-text", "SKILL.md is not valid UTF-8.");
  }
  throw new SkillError("resource-not-text", "SKILL.md has a NUL byte.");
}
