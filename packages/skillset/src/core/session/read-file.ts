import { SkillError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { Skill } from "../skill/skill.ts";
import { cutText, notText } from "../text/cut-text.ts";
import { fileKindOf, isDataType } from "../text/file-kind.ts";
import { isPrivate, normaliseRelative } from "../text/relative-path.ts";
import { sha256 } from "../text/sha256.ts";
import type { FileContent, FileReading, SessionLimits } from "./options.ts";

export interface ReadFileOptions {
  /** Whether the model may have the instructions. If not, it cannot read SKILL.md either. */
  readonly hasInstructions: boolean;
  readonly limits: Pick<SessionLimits, "resourceBytes" | "fileBytes">;
  readonly signal: AbortSignal | undefined;
}

/** Whether the model can be given a file with this media type, rather than text. */
export type TakesFile = (mediaType: string) => boolean;

type Place = Pick<Skill, "name" | "files">;

/** Reads one of a skill's files, by a path from a model, as text. */
export async function readText(skill: Place, given: string, options: ReadFileOptions): Promise<FileReading> {
  return (await readTextOrFile(skill, given, () => false, options)) as FileReading;
}

/** Reads the same file with all of its bytes. */
export async function readWhole(skill: Place, given: string, options: ReadFileOptions): Promise<FileContent> {
  const { path, data } = await readBytes(skill, given, options);
  return toContent(skill.name, path, fileKindOf(path, data).mediaType, data, options);
}

/** Reads a binary file or data as a file, if `takes` allows it, and everything else as text, cut at the limit. */
export async function readTextOrFile(
  skill: Place,
  given: string,
  takes: TakesFile,
  options: ReadFileOptions,
): Promise<FileReading | FileContent> {
  const { path, data } = await readBytes(skill, given, options);
  const { mediaType, text } = fileKindOf(path, data);
  // Data over the limit is cut, as text.
  const isFile = text === undefined || (isDataType(mediaType) && data.byteLength <= options.limits.fileBytes);
  if (isFile && takes(mediaType)) return toContent(skill.name, path, mediaType, data, options);
  if (text === undefined) throw notText(path);
  const cut = cutText(text, options.limits.resourceBytes, "The file");
  return { skill: skill.name, path, mediaType, content: cut.text, truncated: cut.truncated, bytes: cut.bytes };
}

async function readBytes(
  { name, files }: Place,
  given: string,
  { hasInstructions, signal }: ReadFileOptions,
): Promise<{ readonly path: string; readonly data: Uint8Array }> {
  const path = normaliseRelative(given);
  if (isPrivate(path) || (path === "SKILL.md" && !hasInstructions))
    throw new SkillError(
      "resource-not-found",
      `Skill '${name}' has no file '${path.slice(0, LIMITS.shown.pathCharacters)}' to read.`,
    );
  return { path, data: await files.read(path, signal && { signal }) };
}

async function toContent(
  skill: string,
  path: string,
  mediaType: string,
  data: Uint8Array,
  { limits }: ReadFileOptions,
): Promise<FileContent> {
  const bytes = data.byteLength;
  if (bytes > limits.fileBytes) {
    const message = `'${path}' is too large to send: it has ${bytes} bytes, and the limit is ${limits.fileBytes}.`;
    throw new SkillError("resource-too-large", message);
  }
  return { skill, path, mediaType, bytes, digest: await sha256(data), data };
}
