import { join } from "node:path";
import { LIMITS } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import { splitSkillMd } from "../../core/manifest/frontmatter.ts";
import { placeAt } from "../../core/manifest/manifest-report.ts";
import { describeHidden } from "../../core/manifest/visible-field.ts";
import { findHiddenText } from "../../core/text/hidden-text.ts";
import { isPrivate } from "../../core/text/relative-path.ts";
import { readPart } from "../files/contained-read.ts";
import { walkListed } from "../skill-folder/folder-files.ts";

/**
 * Finds hidden characters in a skill's file names, instructions and other texts. Models read these unaltered, because
 * altered text would not be what the author published, so people must know about them.
 */
export function findHiddenParts({ folder, name }: { folder: string; name: string }): readonly Problem[] {
  const found: Problem[] = [];
  try {
    for (const { path, kind } of walkListed(folder)) {
      if (isPrivate(path)) continue;
      const place = { severity: "warning", code: "hidden-text", skill: name, path: join(folder, path) } as const;
      const inName = describeHidden(path.slice(path.lastIndexOf("/") + 1));
      if (inName !== undefined) found.push({ ...place, message: `The name has ${inName}.`, fix: "Rename it." });
      const inText = kind === "file" && TEXT.test(path) ? findInText(folder, path) : undefined;
      if (inText !== undefined)
        found.push({ ...place, ...inText, fix: "Remove them, unless models should read them." });
      if (found.length >= LIMITS.hard.problemsInSkill) break;
    }
  } catch {
    // Loading the skill reports unreadable files.
  }
  return found;
}

const TEXT = /\.(?:md|markdown|mdx|txt)$/i;

function findInText(folder: string, path: string): Pick<Problem, "message" | "line" | "column"> | undefined {
  const text = readText(folder, path);
  const { body, firstLine } = path === "SKILL.md" ? bodyOf(text) : { body: text, firstLine: 1 };
  const hidden = describeHidden(body);
  const at = findHiddenText(body)?.index;
  if (hidden === undefined || at === undefined) return undefined;
  const what = path === "SKILL.md" ? "The instructions have" : "The text has";
  return { message: `${what} ${hidden}.`, ...placeAt(body, at, firstLine) };
}

/** Returns the text below the frontmatter. Its fields are validated when the skill is loaded. */
function bodyOf(text: string): { body: string; firstLine: number } {
  const split = splitSkillMd(text);
  if (!split.ok) return { body: "", firstLine: 1 };
  const firstLine = split.firstLine + split.frontmatter.split("\n").length;
  return {
    body: text
      .split("\n")
      .slice(firstLine - 1)
      .join("\n"),
    firstLine,
  };
}

/** Reads a text file without its byte order mark. Returns an empty text for binary or too large files. */
function readText(folder: string, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readPart(folder, path, { maxBytes: LIMITS.soft.resource }));
  } catch {
    return "";
  }
}
