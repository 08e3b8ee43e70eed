import { join } from "node:path";
import { LIMITS } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import { splitSkillMd } from "../../core/manifest/frontmatter.ts";
import { placeAt } from "../../core/manifest/manifest-report.ts";
import { describeHidden } from "../../core/manifest/visible-field.ts";
import { findHiddenText } from "../../core/text/hidden-text.ts";
import { isPrivate } from "../../core/text/relative-path.ts";
import { readPart } from "../files/contained-read.ts";
import { walkListed } from "../folder/folder-files.ts";

/**
 * Hidden characters in the names of a skill's files, in its instructions and in its other texts. A model reads these as
 * they are, because a text that was altered would not be what its author published; so people must be told.
 */
export function findHiddenParts({ folder, name }: { folder: string; name: string }): readonly Problem[] {
  const found: Problem[] = [];
  try {
    for (const { path, kind } of walkListed(folder)) {
      if (isPrivate(path)) continue;
      const place = { severity: "warning", code: "hidden-text", skill: name, path: join(folder, path) } as const;
      const inName = describeHidden(path.slice(path.lastIndexOf("/") + 1));
      if (inName !== undefined) found.push({ ...place, message: `Its name has ${inName}.`, fix: "Rename it." });
      const inText = kind === "file" && TEXT.test(path) ? findInText(folder, path) : undefined;
      if (inText !== undefined)
        found.push({ ...place, ...inText, fix: "Remove them, unless a model should read them." });
      if (found.length >= LIMITS.hard.problemsInSkill) break;
    }
  } catch {
    // What cannot be read is reported by whoever loads the skill.
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

/** What is below the frontmatter, whose own fields are checked when the skill is loaded. */
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

/** Without its byte order mark; nothing for what is not a text, or more than a model is given. */
function readText(folder: string, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readPart(folder, path, { maxBytes: LIMITS.soft.resource }));
  } catch {
    return "";
  }
}
