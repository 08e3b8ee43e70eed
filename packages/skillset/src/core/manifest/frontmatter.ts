import { LIMITS } from "../base/limits.ts";
import type { FrontmatterProblemCode } from "../base/problem.ts";
import { exceedsBytes } from "../text/bytes.ts";

/** The two parts of a SKILL.md. Line breaks are normalized to `\n`. */
export type SplitSkillMd =
  | {
      readonly ok: true;
      readonly frontmatter: string;
      readonly body: string;
      /** The line number of the frontmatter's first line in the file, starting at 1. */
      readonly firstLine: number;
    }
  | {
      readonly ok: false;
      readonly code: FrontmatterProblemCode;
      readonly message: string;
      readonly line: number;
      readonly fix: string;
    };

/** Splits a SKILL.md at its `---` lines. Accepts a byte order mark, CRLF, leading blank lines and spaces after `---`. */
export function splitSkillMd(text: string): SplitSkillMd {
  const source = normaliseLineEnds(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  const blank = source.startsWith("---") ? "" : (/^(?:[ \t]*\n)+/.exec(source)?.[0] ?? "");
  const start = endOfDelimiter(source, blank.length);
  if (start === undefined) return missing(source);
  const closing = findClosing(source, start);
  const frontmatter = source.slice(start, closing?.start ?? source.length);
  if (exceedsBytes(frontmatter, LIMITS.hard.frontmatter)) {
    return {
      ok: false,
      code: "frontmatter-too-large",
      message: `The frontmatter is larger than ${LIMITS.hard.frontmatter} bytes.`,
      line: 1,
      fix: "Move long texts from the frontmatter into the body.",
    };
  }
  if (closing === undefined) {
    return {
      ok: false,
      code: "frontmatter-unclosed",
      message: "The frontmatter has no closing '---' line.",
      line: 1,
      fix: "Add a line with only '---' below the last frontmatter field.",
    };
  }
  const firstLine = blank === "" ? 2 : blank.split("\n").length + 1;
  return { ok: true, frontmatter, body: trimBody(source.slice(closing.end)), firstLine };
}

function findClosing(source: string, from: number): { start: number; end: number } | undefined {
  for (let start = from; start !== 0; start = source.indexOf("\n---", start) + 1) {
    const end = endOfDelimiter(source, start);
    if (end !== undefined) return { start, end };
  }
  return undefined;
}

/** Returns the offset after a line with only `---`, if one starts here. */
function endOfDelimiter(source: string, start: number): number | undefined {
  if (!source.startsWith("---", start)) return undefined;
  let end = start + 3;
  while (source[end] === " " || source[end] === "\t") end++;
  if (end >= source.length) return end;
  return source[end] === "\n" ? end + 1 : undefined;
}

/** Removes leading blank lines and trailing white space, so that a body survives writing and reading unchanged. */
export function trimBody(body: string): string {
  return body.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}

function normaliseLineEnds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** A code block that starts with a `---` line. */
const FENCED = /^\s*(?:`{3}|~{3})[^\n]{0,80}\n\s*---/;

function missing(source: string): SplitSkillMd {
  const isPath = source.length < 1_024 && /^\.{1,2}\/\S+\s*$/.test(source);
  const [message, fix] = isPath
    ? [
        "The file contains only a path: it is a symbolic link that was checked out as text.",
        "Replace it with a copy of the linked file.",
      ]
    : /^\s+---/.test(source)
      ? ["There are spaces before the first '---'.", "Remove the spaces."]
      : FENCED.test(source)
        ? [
            "The frontmatter is inside a code block.",
            "Remove the line above the first '---', and the line that closes the code block.",
          ]
        : [
            "The file does not start with a '---' line.",
            "Start the file with '---', then 'name:' and 'description:' lines, then '---'.",
          ];
  return { ok: false, code: "frontmatter-missing", message, line: 1, fix };
}
