import type { Problem, ProblemCode } from "../../core/base/problem.ts";
import { type ReadSkillMd, readSkillMd } from "../../core/manifest/parse.ts";
import { resolvePolicy } from "../../core/manifest/policy.ts";
import { toSkillMd } from "../../core/skill/serialise.ts";

export interface FixSkillMdOptions {
  /** The current name of the skill's folder. */
  readonly folder: string;
  /** The name that the skill should have. */
  readonly name?: string;
}

/** Rewrites a broken frontmatter and nothing else. Returns undefined if there is nothing to fix, or no safe fix. */
export function fixSkillMd(
  text: string,
  { folder, name }: FixSkillMdOptions,
): { text: string; changes: string[] } | undefined {
  const parts = takeApart(text);
  if (parts === undefined) return undefined;
  const before = readLeniently(text, folder);
  if (before.isGuess) return undefined;
  const changes: string[] = [];
  let { lines } = parts;
  if (before.repaired !== undefined) {
    lines = adoptRepair(lines, before.repaired.split("\n"));
    changes.push(
      ...before.problems.filter(({ code }) => code === "frontmatter-repaired").map(({ message }) => message),
    );
  }
  if (name !== undefined && before.manifest?.name !== name) {
    lines = setName(lines, name);
    changes.push(`The name becomes '${name}'.`);
  } else if (
    name !== undefined &&
    before.problems.some((problem) => isNameProblem(problem) && problem.code !== "name-folder-mismatch")
  ) {
    // The value is right, but its notation is not.
    lines = setName(lines, name);
    changes.push(`The name is written as '${name}'.`);
  }
  const fixed = parts.opening + lines.join(parts.lineEnd) + parts.rest;
  return changes.length > 0 && saysTheSame(before, readLeniently(fixed, name ?? folder), name)
    ? { text: fixed, changes }
    : undefined;
}

/** Whether the problem is fixed by giving the skill another name. */
export function isNameProblem({ code }: Problem): boolean {
  return Object.hasOwn(BY_RENAMING, code) && BY_RENAMING[code as NameProblemCode];
}

type NameProblemCode = Extract<ProblemCode, `name-${string}`>;

const BY_RENAMING: Readonly<Record<NameProblemCode, boolean>> = {
  "name-missing": true,
  "name-empty": true,
  "name-not-a-string": true,
  "name-unusable": true,
  "name-too-long": true,
  "name-uppercase": true,
  "name-characters": true,
  "name-spaces": true,
  "name-edge-hyphen": true,
  "name-double-hyphen": true,
  "name-folder-mismatch": true,
  // Letters of any script are valid; a program that refuses them has said so.
  "name-not-ascii": false,
};

/** Reads a SKILL.md as the policy `lenient` does. The result has no manifest if the file is not a skill. */
export function readLeniently(text: string, folder: string): ReadSkillMd {
  return readSkillMd(text, { policy: LENIENT, folder });
}

const LENIENT = resolvePolicy({ policy: "lenient" });

interface SkillMdParts {
  /** Up to the first `---` line, with a byte order mark and blank lines if there are any. */
  readonly opening: string;
  readonly lines: string[];
  readonly lineEnd: string;
  /** From the closing `---` line on, byte for byte. */
  readonly rest: string;
}

function takeApart(text: string): SkillMdParts | undefined {
  const opening = /^\ufeff?(?:[ \t\r\n]*[\r\n])?---[ \t]*(\r\n|\r|\n)/.exec(text);
  const lineEnd = opening?.[1];
  if (opening === null || lineEnd === undefined) return undefined;
  const start = opening[0].length;
  const closing = /(?:^|(?<=[\r\n]))---[ \t]*(?=\r|\n|$)/g;
  closing.lastIndex = start;
  const end = closing.exec(text)?.index;
  if (end === undefined) return undefined;
  return { opening: opening[0], lines: text.slice(start, end).split(/\r\n|\r|\n/), lineEnd, rest: text.slice(end) };
}

/**
 * Returns the repaired lines. If a value was joined into its first line, the lines below are removed. The lines of a
 * field that was left out become comments, so that nothing the author wrote is lost.
 */
function adoptRepair(before: readonly string[], repaired: readonly string[]): string[] {
  let field = { indent: Number.POSITIVE_INFINITY, isKept: false };
  return before.flatMap((line, index) => {
    const fixed = repaired[index] ?? "";
    const key = /^( *)[A-Za-z_][A-Za-z0-9_-]*:/.exec(line);
    const indent = key?.[1]?.length ?? Number.POSITIVE_INFINITY;
    if (key !== null && indent <= field.indent) {
      const opensMapping = /:\s*$/.test(fixed);
      field = { indent: opensMapping ? Number.POSITIVE_INFINITY : indent, isKept: fixed !== "" };
    }
    if (fixed !== "" || line.trim() === "") return [fixed];
    if (field.isKept) return [];
    return [line.trimStart().startsWith("#") ? line : `# ${line}`];
  });
}

/** Replaces the name, or inserts it first. */
function setName(lines: readonly string[], name: string): string[] {
  // The serialiser knows which names need quotes.
  const written = toSkillMd({ name, description: "-", body: "" }).split("\n")[1] ?? "";
  const start = lines.findIndex((line) => /^(["']?)name\1[ \t]*:(?:[ \t]|$)/.test(line));
  if (start === -1) return [written, ...lines];
  let end = start + 1;
  for (let index = end; index < lines.length && /^(?:\s|$)/.test(lines[index] ?? ""); index++) {
    if (lines[index]?.trim() !== "") end = index + 1;
  }
  const comment = end === start + 1 ? (/^[^"']*?(?<![ \t])([ \t]+#[\s\S]*)$/.exec(lines[start] ?? "")?.[1] ?? "") : "";
  return [...lines.slice(0, start), written + comment, ...lines.slice(end)];
}

/** Whether nothing but the name has changed, and the problems are fixed. */
function saysTheSame(before: ReadSkillMd, after: ReadSkillMd, name: string | undefined): boolean {
  if (before.manifest === undefined || after.manifest === undefined || after.repaired !== undefined) return false;
  if (name !== undefined && (after.manifest.name !== name || after.problems.some(isNameProblem))) return false;
  const { name: _before, ...old } = before.manifest;
  const { name: _after, ...fresh } = after.manifest;
  return JSON.stringify(old) === JSON.stringify(fresh) && before.body === after.body;
}
