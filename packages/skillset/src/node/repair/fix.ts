import { existsSync, lstatSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import { suggestName } from "../../core/manifest/name-rules.ts";
import type { Skillset } from "../../core/skillset.ts";
import { readContained } from "../files/contained-read.ts";
import { diffLines, type Hunk } from "./diff-lines.ts";
import { fixSkillMd, isNameProblem, readLeniently } from "./fix-skill-md.ts";
import { replaceFile } from "./replace-file.ts";

/** A safe change to one skill. */
export interface SkillFix {
  /** The skill's name after the change. */
  readonly name: string;
  /** The current path of the file. */
  readonly file: string;
  /** The problems that the change removes. */
  readonly problems: readonly Problem[];
  /** The file's whole text. */
  readonly before: string;
  readonly after: string;
  /** The lines that change, with the lines around them. */
  readonly hunks: readonly Hunk[];
  /** One sentence for each change. */
  readonly changes: readonly string[];
  /** New names of misspelt files and folders. */
  readonly renames: readonly { readonly from: string; readonly to: string }[];
}

/**
 * Plans the fixes that need no guessing: quotes, the skill's name, and the name of its file or folder. Writes nothing.
 * @example
 * ```ts
 * import { createSkillset } from "skillset";
 * import { applyFix, planFixes } from "skillset/node";
 *
 * const skillset = await createSkillset("./skills");
 * for (const fix of planFixes(skillset)) applyFix(fix);
 * ```
 */
export function planFixes({ entries, problems }: Pick<Skillset, "entries" | "problems">): readonly SkillFix[] {
  const problemsAt = Map.groupBy(problems, ({ path }) => path);
  const taken = new Set<string>();
  const plans = entries.flatMap((entry) => {
    const origin = entry.status === "invalid" ? entry.origin : entry.skill.origin;
    // Bundled skills belong to the package.
    if (!("root" in origin) || origin.scope === "bundled") return [];
    const { folder, root } = origin;
    const file = join(folder, "SKILL.md");
    const found = (problemsAt.get(file) ?? []).filter(isFixable);
    // The name of an invalid skill is that of its folder, or of the link to the folder.
    const foundAs = entry.status === "invalid" ? entry.name : basename(folder);
    return found.length === 0 ? [] : (planFix({ file, root, found, foundAs }, taken) ?? []);
  });
  const misnamed = problems.flatMap((problem) =>
    problem.code === MISNAMED && problem.path !== undefined
      ? (planFix({ file: problem.path, found: [problem], foundAs: basename(dirname(problem.path)) }, taken) ?? [])
      : [],
  );
  return [...plans, ...misnamed];
}

/** Applies a fix completely, or throws and changes nothing: if the file has changed, or if it cannot be written. */
export function applyFix({ file, before, after, renames }: SkillFix): void {
  if (readText(file) !== before)
    throw new SkillError("skill-invalid", `'${file}' has changed in the meantime. Nothing was written.`);
  const undo: (() => void)[] = [];
  try {
    for (const { from, to } of renames)
      if (!isFree(to, from)) throw new SkillError("skill-invalid", `'${to}' already exists. Nothing was written.`);
    if (after !== before) {
      replaceFile(file, after);
      undo.unshift(() => replaceFile(file, before));
    }
    for (const { from, to } of renames) {
      renameSync(from, to);
      undo.unshift(() => renameSync(to, from));
    }
  } catch (error) {
    for (const step of undo) step();
    throw error instanceof SkillError ? error : unwritable(file, error);
  }
}

function unwritable(file: string, error: unknown): SkillError {
  const { code = "unexpected" } = error as NodeJS.ErrnoException;
  const hint = NO_ACCESS.has(code) ? " The user who runs this program needs write access." : "";
  const message = `'${dirname(file)}' cannot be changed (${code}). Nothing was written.${hint}`;
  return new SkillError("skill-invalid", message, { cause: error });
}

const NO_ACCESS: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"]);
const MISNAMED = "skill-md-misnamed";
const UNREAD = "frontmatter-invalid-yaml";

function isFixable(problem: Problem): boolean {
  return problem.code === "frontmatter-repaired" || problem.code === UNREAD || isNameProblem(problem);
}

interface BrokenFile {
  readonly file: string;
  /** The folder of skills that contains it. Without it, the skill's folder keeps its name. */
  readonly root?: string;
  readonly found: readonly Problem[];
  /** The name of the skill's folder, or of the link to it. */
  readonly foundAs: string;
}

function planFix({ file, root, found, foundAs }: BrokenFile, taken: Set<string>): SkillFix | undefined {
  const folder = dirname(file);
  const before = readText(file);
  if (before === undefined) return undefined;
  const { manifest, problems } = readLeniently(before, foundAs);
  if (manifest === undefined) return undefined;
  const isMisnamed = found.some(({ code }) => code === MISNAMED);
  // A policy that does not repair YAML has not checked the name.
  const isUnread = found.some(({ code }) => code === UNREAD);
  const needsName = isMisnamed || [...found, ...(isUnread ? problems : [])].some(isNameProblem);
  const target = needsName ? targetName(folder, root, manifest.name, taken) : undefined;
  const fixed = fixSkillMd(before, { folder: foundAs, name: target });
  const renames: { from: string; to: string }[] = [];
  if (basename(file) !== "SKILL.md") renames.push({ from: file, to: join(folder, "SKILL.md") });
  if (target !== undefined && target !== basename(folder))
    renames.push({ from: folder, to: join(dirname(folder), target) });
  if (fixed === undefined && renames.length === 0) return undefined;
  const { text: after, changes } = fixed ?? { text: before, changes: [] };
  const renamed = renames.map(({ from, to }) => `'${basename(from)}' is renamed to '${basename(to)}'.`);
  return {
    name: target ?? foundAs,
    file,
    problems: found,
    before,
    after,
    hunks: diffLines(before, after),
    changes: [...changes, ...renamed],
    renames,
  };
}

/** The name for both the skill and its folder; undefined if the user has to decide. */
function targetName(folder: string, root: string | undefined, name: string, taken: Set<string>): string | undefined {
  const folderName = basename(folder);
  if (suggestName(folderName) === folderName) return folderName;
  // A folder that the user named, or that is a repository, keeps its name.
  if (root === undefined || dirname(folder) !== root || existsSync(join(folder, ".git"))) return undefined;
  const target = suggestName(name);
  const place = join(root, target);
  if (taken.has(place) || !isFree(place, folder)) return undefined;
  taken.add(place);
  return target;
}

/** On a file system that ignores case, the new name can already be the same file or folder. */
function isFree(place: string, current: string): boolean {
  const there = lstatSync(place, { throwIfNoEntry: false });
  return there === undefined || there.ino === lstatSync(current).ino;
}

/** The text with its byte order mark and line ends; undefined if it is not UTF-8 or is outside its folder. */
function readText(file: string): string | undefined {
  try {
    const bytes = readContained(dirname(file), basename(file), { maxBytes: LIMITS.hard.skillMd });
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
