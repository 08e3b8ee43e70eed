import { exceedsBytes } from "./bytes.ts";
import { LIMITS } from "./limits.ts";
import type { FrontmatterProblemCode } from "./problem.ts";

/** The two halves of a SKILL.md. Line ends are `\n` whatever the file had. */
export type SplitSkillMd =
  | {
      readonly ok: true;
      readonly frontmatter: string;
      readonly body: string;
      /** The line of the file on which the frontmatter's first line stands, counted from 1. */
      readonly firstLine: number;
    }
  | {
      readonly ok: false;
      readonly code: FrontmatterProblemCode;
      readonly message: string;
      readonly line: number;
      readonly fix: string;
    };

/** Splits a SKILL.md at its `---` lines. A byte order mark, CRLF and spaces behind `---` are fine. */
export function splitSkillMd(text: string): SplitSkillMd {
  const source = normaliseLineEnds(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  const opening = /^---[ \t]*(?:\n|$)/.exec(source);
  if (opening === null) return missing(source);
  const start = opening[0].length;
  CLOSING.lastIndex = start;
  const closing = CLOSING.exec(source);
  const frontmatter = source.slice(start, closing?.index ?? source.length);
  if (exceedsBytes(frontmatter, LIMITS.hard.frontmatter)) {
    return {
      ok: false,
      code: "frontmatter-too-large",
      message: `The frontmatter is larger than ${LIMITS.hard.frontmatter} bytes.`,
      line: 1,
      fix: "Move long texts from the frontmatter into the body.",
    };
  }
  if (closing === null) {
    return {
      ok: false,
      code: "frontmatter-unclosed",
      message: "The frontmatter has no closing '---' line.",
      line: 1,
      fix: "Add a line with only '---' below the last frontmatter field.",
    };
  }
  return { ok: true, frontmatter, body: trimBody(source.slice(CLOSING.lastIndex)), firstLine: 2 };
}

const CLOSING = /^---[ \t]*(?:\n|$)/gm;

/** Drops blank lines above the text and white space below it, so that writing and reading give the same. */
export function trimBody(body: string): string {
  return body.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}

function normaliseLineEnds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

function missing(source: string): SplitSkillMd {
  const isPath = source.length < 1_024 && /^\.{1,2}\/\S+\s*$/.test(source);
  return {
    ok: false,
    code: "frontmatter-missing",
    message: isPath
      ? "The file holds only a path: it is a symbolic link that was checked out as text."
      : "The file does not start with a '---' line.",
    line: 1,
    fix: isPath
      ? "Check the repository out with symbolic links (git config core.symlinks true)."
      : "Start the file with '---', then 'name:' and 'description:' lines, then '---'.",
  };
}
