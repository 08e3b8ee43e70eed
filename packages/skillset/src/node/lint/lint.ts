import { existsSync, realpathSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import type { Problem, ProblemCode } from "../../core/base/problem.ts";
import { splitSkillMd } from "../../core/manifest/frontmatter.ts";
import { isTemplateLine } from "../../core/skill/skill-template.ts";
import { decodeUri } from "../../core/text/decode-uri.ts";
import { normaliseRelative } from "../../core/text/relative-path.ts";
import { estimateTokens } from "../../core/text/tokens.ts";
import { isWithin, readContained } from "../files/contained-read.ts";
import { readSkillMdText } from "../skill-folder/folder-skill.ts";
import { findHiddenParts } from "./hidden-parts.ts";

/** The real path of a skill's folder, and the name for reports. */
export interface LintPlace {
  readonly folder: string;
  readonly name: string;
}

/** Checks a skill's instructions, and its files for hidden text. Reads all files, so loading does not call it. */
export function lintSkill({ folder, name }: LintPlace): readonly Problem[] {
  const path = join(folder, "SKILL.md");
  const found: Problem[] = [];
  const add: AddProblem = (code, message, place, fix) =>
    found.push({ code, severity: "warning", message, skill: name, path, ...place, fix });
  found.push(...findHiddenParts({ folder, name }));
  const text = readText(folder, (code, message, fix) =>
    found.push({ code, severity: "error", message, skill: name, path, fix }),
  );
  const split = text === undefined ? undefined : splitSkillMd(text);
  // Loading reports a broken frontmatter. Without it, the start of the instructions is unknown.
  if (text === undefined || !split?.ok) return found;
  const firstLine = split.firstLine + split.frontmatter.split("\n").length;
  checkLength(split.body, firstLine, add);
  checkTemplate(text, add);
  const targets = new Set<string>();
  const missing = new Set<string>();
  for (const { target, line, column, kind } of findLinks(bodyLines(text, firstLine), firstLine)) {
    const file = locate(folder, [target]);
    if (file !== undefined) targets.add(file);
    else if (!missing.has(target) && isMeant(folder, { target, kind })) {
      reportMissing(folder, target, { line, column }, add);
      missing.add(target);
    }
  }
  for (const target of targets) checkDepth(folder, target, targets, add);
  return found;
}

type Place = Pick<Problem, "line" | "column" | "path">;
type AddProblem = (code: ProblemCode, message: string, place: Place, fix: string) => void;

/** Reads the whole file, because loading checks only the frontmatter. */
function readText(
  folder: string,
  refuse: (code: ProblemCode, message: string, fix: string) => void,
): string | undefined {
  try {
    return readSkillMdText(folder);
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    if (error.code === "resource-not-text") {
      const code = error.message.includes("NUL") ? "nul-byte" : "encoding-not-utf8";
      refuse(code, error.message, "Save the file as UTF-8 text.");
    }
    return undefined;
  }
}

function checkTemplate(text: string, add: AddProblem): void {
  const index = text.split("\n").findIndex(isTemplateLine);
  if (index === -1) return;
  const message = "This line is unchanged from the 'skillset new' template.";
  add("template-unchanged", message, { line: index + 1 }, "Replace it with the skill's instructions, or remove it.");
}

function reportMissing(folder: string, target: string, place: Place, add: AddProblem): void {
  const outside = findOutside(folder, target);
  if (outside === undefined) {
    const inside = locate(folder, [target.replace(/^(?:\.\.\/)+/, "")]);
    const fix = inside === undefined ? "Add the file, or correct the path." : `Write '${shown(inside)}'.`;
    add("reference-missing", `'${shown(target)}' does not exist in this skill.`, place, fix);
    return;
  }
  const message = `'${shown(target)}' is outside this skill. Agents can read only the skill's files.`;
  add("reference-missing", message, place, `Copy '${shown(outside)}' into the skill's folder, and link the copy.`);
}

/** Finds the file that the author meant: relative to the skill, or to a folder above, up to the repository's root. */
function findOutside(folder: string, target: string): string | undefined {
  let base = folder;
  for (let level = 0; level < LIMITS.hard.scanDepth; level++) {
    const path = join(base, target);
    if (existsSync(path)) return relative(folder, path);
    if (existsSync(join(base, ".git")) || dirname(base) === base) return undefined;
    base = dirname(base);
  }
  return undefined;
}

function checkLength(body: string, line: number, add: AddProblem): void {
  const { bodyTokens, bodyLines } = LIMITS.standard;
  if (body.trim() === "") {
    add(
      "body-empty",
      "There are no instructions below the frontmatter.",
      { line: line - 1 },
      "Describe step by step what the agent should do.",
    );
    return;
  }
  const tokens = estimateTokens(body);
  const lines = body.split("\n").length;
  if (tokens <= bodyTokens && lines <= bodyLines) return;
  const size = `about ${tokens} tokens in ${lines} lines`;
  const message = `The instructions have ${size}. The standard recommends less than ${bodyTokens} tokens and ${bodyLines} lines.`;
  add("body-too-long", message, { line }, "Move details into files under references/ and link to them.");
}

function bodyLines(text: string, firstLine: number): readonly string[] {
  return text.split(/\r\n|\r|\n/).slice(firstLine - 1);
}

interface Link {
  readonly target: string;
  readonly line: number;
  readonly column: number;
  /** Paths in backticks are a `use` after a verb, an `item` at the start of one, or else a `mention`, often an example. */
  readonly kind: "link" | "use" | "item" | "mention";
}

/** `[text](target "title")`, `![text](target)` and `[name]: target`, but no footnote. Bounded, because the text is untrusted. */
const LINK =
  /\]\([ \t]*<?([^()\s<>]{1,500})>?(?:[ \t]+["'][^"']{0,300}["'])?[ \t]*\)|^ {0,3}\[(?!\^)[^\]]{1,200}\]:[ \t]*<?([^\s<>]{1,500})>?/g;
/** A path in backticks, in one of the folders that the standard names. */
const CODE_PATH = /(?<!`)`((?:\.\/)?(?:references|scripts|assets)\/[^`\s]{1,500})`(?!`)/g;
/** Text in backticks is not a link. */
const CODE = /`[^`]{1,500}`/g;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Finds the files that a Markdown text links. Skips code blocks. */
function* findLinks(lines: readonly string[], firstLine: number): Generator<Link> {
  let fence: string | undefined;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const hasCode = line.includes("`");
    const mark = hasCode || line.includes("~~~") ? FENCE.exec(line)?.[1] : undefined;
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence) && line.trim() === mark)
      fence = undefined;
    if (mark !== undefined || fence !== undefined) continue;
    if (line.includes("](") || line.includes("]:")) {
      const prose = hasCode ? line.replace(CODE, (code) => " ".repeat(code.length)) : line;
      yield* matchLinks(prose, LINK, firstLine + index);
    }
    if (hasCode) yield* findCodePaths(line, firstLine + index);
  }
}

function* matchLinks(text: string, pattern: RegExp, line: number): Generator<Link> {
  for (const match of text.matchAll(pattern)) {
    const target = toPath(match[1] ?? match[2] ?? "");
    if (target !== undefined) yield { target, line, column: match.index + 1, kind: "link" };
  }
}

/**
 * Finds paths in backticks where the text asks the reader to use the file: after a verb, or at the start of a list item.
 * Elsewhere such a path is most often an example, an output, or a file of the user's project.
 */
function* findCodePaths(line: string, number: number): Generator<Link> {
  for (const match of line.matchAll(CODE_PATH)) {
    const target = toPath(match[1] ?? "");
    if (target === undefined) continue;
    const before = line.slice(Math.max(0, match.index - 60), match.index);
    const after = line.slice(match.index + match[0].length, match.index + match[0].length + 200);
    // The text of a link: the link's target counts.
    if (/\[\**$/.test(before) && /^\**\]/.test(after)) continue;
    const isItem = ITEM.test(line.slice(0, match.index)) && DESCRIBED.test(after);
    const kind = ELSEWHERE.test(before + after) ? "mention" : USE.test(before) ? "use" : isItem ? "item" : "mention";
    yield { target, line: number, column: match.index + 1, kind };
  }
}

/** `Read`, `see`, `python` and the like, directly before the path. */
const USE =
  /\b(?:see|read|consult|follow|open|load|run|execute|invoke|refer to|python3?|node|bash|sh)(?:,? (?:the|and|also|file|script|with|guide|reference|template|in))* *[*("]*$/i;
/** A list item or a table row that starts with the path. */
const ITEM = /^[ \t]*(?:[-*+]|\d{1,3}[.)]|\|)[ \t]*[*]*$/;
const DESCRIBED = /^[*]*[ \t]*(?:$|[-–—:|(]|→)/;
/** Examples, outputs, files that may or may not exist, and files of somebody else. */
const ELSEWHERE =
  /\b(?:e\.g|examples?|such as|like|would|could|should|might|if|when|optional|placeholder|creat\w*|generat\w*|writ\w*|outputs?|sav\w*|stor\w*|export\w*|add\w*|new|mov\w*|renam\w*|delet\w*|remov\w*|your|user|project|repo\w*|package|plugin|skills|exists?|missing|not)\b|[✅❌]|→/i;

/** Whether a path must be a file of the skill. One that only starts a list item counts if the skill has its first folder. */
function isMeant(folder: string, { target, kind }: Pick<Link, "target" | "kind">): boolean {
  if (kind === "link") return true;
  if (kind === "mention" || target.endsWith("/")) return false;
  const [first = ""] = target.replace(/^\.\//, "").split("/");
  return kind === "use" || existsSync(join(folder, first));
}

/**
 * Returns the path of a link. Undefined for URLs, anchors, placeholders, patterns such as `scripts/<name>.py`, and hidden
 * folders, which belong to the user's project.
 */
function toPath(link: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^[/#~]|^\.\w|\bpath\/to\//i.test(link) || /[<>{}*$…|]|\.{3}/.test(link)) return undefined;
  const path = decodeUri(link.replace(/[?#].*$/s, ""));
  return /[./]/.test(path) ? path : undefined;
}

/** Returns the real path relative to the skill, or undefined if it is not in the skill. */
function locate(folder: string, candidates: readonly string[]): string | undefined {
  for (const candidate of candidates) {
    try {
      const relative = normaliseRelative(candidate);
      if (isWithin(folder, realpathSync.native(join(folder, relative)))) return relative;
    } catch {
      // The next candidate may exist.
    }
  }
  return undefined;
}

/** Agents may read only part of a reference, so SKILL.md itself should link the files it refers to. */
function checkDepth(folder: string, target: string, known: ReadonlySet<string>, add: AddProblem): void {
  if (!/^references\/.*\.(?:md|markdown)$/i.test(target)) return;
  const text = readReference(folder, target);
  if (text === undefined) return;
  for (const link of findLinks(bodyLines(text, 1), 1)) {
    const next = locate(folder, [posix.join(posix.dirname(target), link.target), link.target]);
    if (next === undefined || next === target || next === "SKILL.md" || known.has(next)) continue;
    const message = `'${target}' links to '${shown(next)}'. The standard recommends references one level deep.`;
    add(
      "reference-deep",
      message,
      { path: join(folder, target), line: link.line, column: link.column },
      `Link '${shown(next)}' from SKILL.md too.`,
    );
    return;
  }
}

function readReference(folder: string, path: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(
      readContained(folder, path, { maxBytes: LIMITS.soft.resource }),
    );
  } catch {
    return undefined;
  }
}

function shown(path: string): string {
  return path.length > 80 ? `${path.slice(0, 79)}…` : path;
}
