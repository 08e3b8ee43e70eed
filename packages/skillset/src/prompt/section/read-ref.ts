import { realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { SkillError, SkillRefError, type SkillRefReason } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import type { Manifest } from "../../core/manifest/manifest.ts";
import { readSkillMd } from "../../core/manifest/parse.ts";
import { resolvePolicy } from "../../core/manifest/policy.ts";
import { changeMark } from "../../core/skill/fingerprint.ts";
import type { Skill } from "../../core/skill/skill.ts";
import { restoreSkill } from "../../core/skill/skill-snapshot.ts";
import { decodeText } from "../../core/text/cut-text.ts";
import { normalise } from "../../core/text/normalise.ts";
import { isWithin, readPart } from "../../node/files/contained-read.ts";
import { FolderSkill } from "../../node/skill-folder/folder-skill.ts";

/** Where a referenced skill is. */
export interface RefPlace {
  /** The absolute path of its folder, or of a single Markdown file. */
  readonly path: string;
  readonly symlinks: "contained" | "follow";
}

/** A referenced skill as it was read. */
export interface ReadRef {
  /** The skill, under its name in the prompt. */
  readonly skill: Skill;
  /** What is wrong with it although it can be used. */
  readonly problems: readonly Problem[];
  readonly text: string;
}

/** Reads a referenced skill. `name` replaces the one in its frontmatter. */
export function readRef(place: RefPlace, name: string | undefined): ReadRef {
  const text = readRefText(place);
  const isFile = isRefToFile(place);
  const folder = name === undefined && !isFile ? { folder: basename(place.path) } : {};
  const { manifest, problems } = readSkillMd(text, { policy: STANDARD, ...folder, path: skillMdPathOf(place) });
  if (manifest === undefined) {
    const { message = "", fix } = problems.find(({ severity }) => severity === "error") ?? {};
    throw refError(place, "invalid-frontmatter", fix === undefined ? message : `${message} ${fix}`);
  }
  if (name === undefined && isFile) checkFileName(place, manifest.name);
  const named = name === undefined ? manifest : { ...manifest, name };
  return { skill: isFile ? fileSkill(place, named, text) : folderSkill(place, named), problems, text };
}

/** The path of the file with the instructions. */
export function skillMdPathOf(place: RefPlace): string {
  return isRefToFile(place) ? place.path : join(place.path, "SKILL.md");
}

/** Whether the reference is a single Markdown file instead of a folder. Throws if it is neither. */
export function isRefToFile(place: RefPlace): boolean {
  let stats: Stats | undefined;
  try {
    stats = statSync(place.path, { throwIfNoEntry: false });
  } catch (error) {
    throw refError(place, "not-found", `it cannot be read (${(error as NodeJS.ErrnoException).code}).`, error);
  }
  if (stats === undefined) throw refError(place, "not-found");
  const isMarkdown = stats.isFile() && /^\.(?:md|markdown)$/i.test(extname(place.path));
  if (!stats.isDirectory() && !isMarkdown) throw refError(place, "not-directory");
  return !stats.isDirectory();
}

/** `readPart` checks the location of the opened file, so the file that is read is the one that was checked. */
export function readRefText(place: RefPlace): string {
  const path = skillMdPathOf(place);
  let file: string;
  try {
    file = realpathSync(path);
    const isContained = isRefToFile(place) || isWithin(realpathSync(place.path), file);
    if (!isContained && place.symlinks === "contained")
      throw refError(
        place,
        "invalid-frontmatter",
        'SKILL.md is a link that leaves the skill\'s folder. Set symlinks: "follow" on the SkillRef to allow it.',
      );
  } catch (error) {
    if (error instanceof SkillError) throw error;
    throw refError(place, "missing-skill-md", undefined, error);
  }
  try {
    return decodeText(readPart(dirname(file), basename(file), { maxBytes: LIMITS.hard.skillMd }), "SKILL.md");
  } catch (error) {
    throw refError(place, "invalid-frontmatter", error instanceof Error ? error.message : undefined, error);
  }
}

export function refError({ path }: RefPlace, reason: SkillRefReason, details?: string, cause?: unknown): SkillRefError {
  return new SkillRefError(path, reason, details, cause === undefined ? undefined : { cause });
}

const STANDARD = resolvePolicy({ policy: "standard" });

function checkFileName(place: RefPlace, name: string): void {
  const extension = extname(place.path);
  const stem = basename(place.path, extension);
  if (normalise(stem, "NFKC") === name) return;
  const fix = `Rename the file to '${name}${extension}', or set the option 'name'.`;
  throw refError(place, "invalid-frontmatter", `The name '${name}' must match the file's name '${stem}'. ${fix}`);
}

function folderSkill(place: RefPlace, manifest: Manifest): Skill {
  const folder = realpathSync(place.path);
  const { ino, size, mtimeMs, ctimeMs } = statSync(skillMdPathOf(place));
  const origin = { kind: "folder", folder, root: dirname(folder), scope: "given" } as const;
  return new FolderSkill(manifest, Object.freeze({ ...origin, stamp: { ino, size, mtimeMs, ctimeMs } }));
}

function fileSkill(place: RefPlace, manifest: Manifest, text: string): Skill {
  const files = [{ path: "SKILL.md", kind: "file", size: Buffer.byteLength(text) } as const];
  const snapshot = { format: 1, ...manifest, location: place.path, files, digest: changeMark([text]) } as const;
  return restoreSkill(snapshot, async () => text);
}
