import { SkillError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { normaliseRelative } from "../text/relative-path.ts";
import { sha256 } from "../text/sha256.ts";
import { checkFiles, ListedFiles } from "./listed-files.ts";
import type { SkillFiles } from "./skill.ts";

/** Text, which is stored as UTF-8, or bytes. */
export type FileContent = string | Uint8Array;

/** The files of a skill in code. Copied when the skill is defined. */
export interface MemoryFiles {
  readonly files: SkillFiles;
  /** By normalised path. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** Throws for an invalid path or content. */
export function memoryFiles(skill: string, given: Readonly<Record<string, FileContent>>): MemoryFiles {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new SkillError(
      "option-invalid",
      `'files' of skill '${skill}' must be an object that maps paths to contents.`,
    );
  const copies = Object.entries(given).map(([path, content]) => ({ path, bytes: copyOf(content, path, skill) }));
  const checked = checkFiles(
    copies.map(({ path, bytes }) => ({ path, size: bytes.length, stamp: "code" })),
    (reason) => {
      throw new SkillError("option-invalid", `Skill '${skill}' is invalid. ${reason}`);
    },
  );
  const contents = new Map(copies.map(({ path, bytes }) => [normaliseRelative(path), bytes]));
  const files = new ListedFiles(skill, checked, async (path) => (contents.get(path) as Uint8Array).slice());
  return { files: Object.freeze(files), contents };
}

/** Returns one line per file, sorted by path, as the input for a digest over all files. */
export async function describeContents(contents: Iterable<readonly [string, Uint8Array]>): Promise<string> {
  const lines = Array.from(contents, async ([path, bytes]) => `file\0${path}\0${await sha256(bytes)}\n`);
  return (await Promise.all(lines)).sort().join("");
}

/** Copies the content, so that the caller cannot change it later. */
function copyOf(content: unknown, path: string, skill: string): Uint8Array {
  const isText = typeof content === "string";
  if (!isText && !(content instanceof Uint8Array))
    throw new SkillError("option-invalid", `File '${path}' of skill '${skill}' must be a string or a Uint8Array.`);
  const bytes = isText ? new TextEncoder().encode(content) : Uint8Array.from(content);
  if (bytes.length > LIMITS.hard.file) {
    const message = `File '${path}' of skill '${skill}' has ${bytes.length} bytes. The maximum is ${LIMITS.hard.file}.`;
    throw new SkillError("skill-too-large", message);
  }
  return bytes;
}
