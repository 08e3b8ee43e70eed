import { existsSync, lstatSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SkillError } from "../../../core/base/errors.ts";
import { LIMITS } from "../../../core/base/limits.ts";
import type { Problem } from "../../../core/base/problem.ts";
import { suggestName } from "../../../core/manifest/name-rules.ts";
import type { Skillset } from "../../../core/skillset.ts";
import { readContained } from "../../../node/files/contained-read.ts";
import { folderOf, groupByPath } from "../../command-line/found-skill.ts";
import { fixSkillMd, isNameProblem, nameIn } from "./fix-skill-md.ts";
import { replaceFile } from "./replace-file.ts";

/** A safe change to one skill. */
export interface Fix {
  readonly name: string;
  /** The current path of the file. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** One sentence for each change. */
  readonly changes: readonly string[];
  /** New names of misspelt files and folders. */
  readonly renames: readonly { readonly from: string; readonly to: string }[];
}

/** Plans the fixes that need no guessing: quotes, the skill's name, and the name of its file or folder. */
export function planFixes({ entries, problems }: Skillset): readonly Fix[] {
  const problemsAt = groupByPath(problems);
  const taken = new Set<string>();
  const plans = entries.flatMap((entry) => {
    const { folder, root, scope } = folderOf(entry);
    const found = problemsAt.get(join(folder, "SKILL.md")) ?? [];
    // Bundled skills belong to the package.
    return scope === "bundled" || !found.some(isFixable)
      ? []
      : (planFix(join(folder, "SKILL.md"), root, found, taken) ?? []);
  });
  const misnamed = problems.flatMap(({ code, path }) =>
    code === "skill-md-misnamed" && path !== undefined ? (planFix(path, undefined, undefined, taken) ?? []) : [],
  );
  return [...plans, ...misnamed];
}

/** Applies a fix. Throws if the file has changed since the fix was planned. */
export function applyFix({ file, before, after, renames }: Fix): void {
  if (readText(file) !== before)
    throw new SkillError("skill-invalid", `'${file}' has changed in the meantime. Run the command again.`);
  if (after !== before) replaceFile(file, after);
  for (const { from, to } of renames) {
    if (!isFree(to, from))
      throw new SkillError("skill-invalid", `'${to}' already exists, so '${from}' was not renamed.`);
    renameSync(from, to);
  }
}

function isFixable(problem: Problem): boolean {
  return problem.code === "frontmatter-repaired" || isNameProblem(problem);
}

/**
 * `found` are the problems of the file; undefined if it was not read because its name is misspelt. `root` is the folder
 * of skills that contains it; without it, the skill's folder keeps its name.
 */
function planFix(
  file: string,
  root: string | undefined,
  found: readonly Problem[] | undefined,
  taken: Set<string>,
): Fix | undefined {
  const folder = dirname(file);
  const before = readText(file);
  const name = before && nameIn(before, basename(folder));
  if (before === undefined || name === undefined) return undefined;
  const target = found === undefined || found.some(isNameProblem) ? targetName(folder, root, name, taken) : undefined;
  const fixed = fixSkillMd(before, { folder: basename(folder), name: target });
  const renames: { from: string; to: string }[] = [];
  if (basename(file) !== "SKILL.md") renames.push({ from: file, to: join(folder, "SKILL.md") });
  if (target !== undefined && target !== basename(folder))
    renames.push({ from: folder, to: join(dirname(folder), target) });
  if (fixed === undefined && renames.length === 0) return undefined;
  const { text: after, changes } = fixed ?? { text: before, changes: [] };
  const renamed = renames.map(({ from, to }) => `'${basename(from)}' is renamed to '${basename(to)}'.`);
  return { name: target ?? basename(folder), file, before, after, changes: [...changes, ...renamed], renames };
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
