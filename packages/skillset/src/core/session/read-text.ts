import { SkillError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { Skill } from "../skill/skill.ts";
import { cutText, decodeText } from "../text/cut-text.ts";
import { isPrivate, normaliseRelative } from "../text/relative-path.ts";
import type { FileReading } from "./options.ts";

export interface ReadTextOptions {
  /** Whether the model may have the instructions. If not, it cannot read SKILL.md either. */
  readonly hasInstructions: boolean;
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** Reads one of a skill's files, by a path from a model. */
export async function readText(
  skill: Pick<Skill, "name" | "files">,
  given: string,
  { hasInstructions, maxBytes, signal }: ReadTextOptions,
): Promise<FileReading> {
  const { name } = skill;
  const path = normaliseRelative(given);
  if (isPrivate(path) || (path === "SKILL.md" && !hasInstructions))
    throw new SkillError(
      "resource-not-found",
      `Skill '${name}' has no file '${path.slice(0, LIMITS.shown.pathCharacters)}' to read.`,
    );
  const content = decodeText(await skill.files.read(path, signal && { signal }), path);
  const { text, bytes, truncated } = cutText(content, maxBytes, "The file");
  return { skill: name, path, content: text, truncated, bytes };
}
