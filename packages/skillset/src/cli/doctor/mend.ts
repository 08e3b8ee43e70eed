import { existsSync, lstatSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import { suggestName } from "../../core/manifest/name-rules.ts";
import type { Skillset } from "../../core/skillset.ts";
import { readContained } from "../../node/files/contained-read.ts";
import { folderOf, groupByPath } from "../command/found-skill.ts";
import { isNameProblem, mendSkillMd, nameIn } from "./mend-skill-md.ts";
import { replaceFile } from "./replace-file.ts";

/** A change to one skill that makes it what its author meant, and nothing else. */
export interface Mend {
  readonly name: string;
  /** The file as it is called now. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** What changes, in sentences. */
  readonly changes: readonly string[];
  /** New names, for what is misspelt. */
  readonly renames: readonly { readonly from: string; readonly to: string }[];
}

/** What can be mended without guessing: quotes, the skill's name, and the name of its file or folder. */
export function planMends({ entries, problems }: Skillset): readonly Mend[] {
  const problemsAt = groupByPath(problems);
  const taken = new Set<string>();
  const plans = entries.flatMap((entry) => {
    const { folder, root, scope } = folderOf(entry);
    const found = problemsAt.get(join(folder, "SKILL.md")) ?? [];
    // What comes with the package is not the user's to change.
    return scope === "bundled" || !found.some(isMendable)
      ? []
      : (planMend(join(folder, "SKILL.md"), root, found, taken) ?? []);
  });
  const misnamed = problems.flatMap(({ code, path }) =>
    code === "skill-md-misnamed" && path !== undefined ? (planMend(path, undefined, undefined, taken) ?? []) : [],
  );
  return [...plans, ...misnamed];
}

/** Writes what was planned; refuses when the file is no longer what was looked at. */
export function applyMend({ file, before, after, renames }: Mend): void {
  if (readText(file) !== before)
    throw new SkillError("skill-invalid", `'${file}' has changed meanwhile; run the command again.`);
  if (after !== before) replaceFile(file, after);
  for (const { from, to } of renames) {
    if (!isFree(to, from))
      throw new SkillError("skill-invalid", `'${to}' exists already, so '${from}' keeps its name.`);
    renameSync(from, to);
  }
}

function isMendable(problem: Problem): boolean {
  return problem.code === "frontmatter-repaired" || isNameProblem(problem);
}

/**
 * `found` is what the scan said of the file; without it the file was not read, because of how it is spelt. `root` is the
 * folder of skills that it was found in; without it the skill's folder keeps its name.
 */
function planMend(
  file: string,
  root: string | undefined,
  found: readonly Problem[] | undefined,
  taken: Set<string>,
): Mend | undefined {
  const folder = dirname(file);
  const before = readText(file);
  const name = before && nameIn(before, basename(folder));
  if (before === undefined || name === undefined) return undefined;
  const target = found === undefined || found.some(isNameProblem) ? targetName(folder, root, name, taken) : undefined;
  const mended = mendSkillMd(before, { folder: basename(folder), name: target });
  const renames: { from: string; to: string }[] = [];
  if (basename(file) !== "SKILL.md") renames.push({ from: file, to: join(folder, "SKILL.md") });
  if (target !== undefined && target !== basename(folder))
    renames.push({ from: folder, to: join(dirname(folder), target) });
  if (mended === undefined && renames.length === 0) return undefined;
  const { text: after, changes } = mended ?? { text: before, changes: [] };
  const renamed = renames.map(({ from, to }) => `'${basename(from)}' is renamed to '${basename(to)}'.`);
  return { name: target ?? basename(folder), file, before, after, changes: [...changes, ...renamed], renames };
}

/** The name that the skill and its folder should both have; undefined when that is not ours to decide. */
function targetName(folder: string, root: string | undefined, name: string, taken: Set<string>): string | undefined {
  const folderName = basename(folder);
  if (suggestName(folderName) === folderName) return folderName;
  // The folder that the user named, or a repository of its own, keeps its name.
  if (root === undefined || dirname(folder) !== root || existsSync(join(folder, ".git"))) return undefined;
  const target = suggestName(name);
  const place = join(root, target);
  if (taken.has(place) || !isFree(place, folder)) return undefined;
  taken.add(place);
  return target;
}

/** Where file names ignore case, a file or folder is in its own way. */
function isFree(place: string, current: string): boolean {
  const there = lstatSync(place, { throwIfNoEntry: false });
  return there === undefined || there.ino === lstatSync(current).ino;
}

/** The text as it is, with its byte order mark and line ends; undefined when it is none or lies outside its folder. */
function readText(file: string): string | undefined {
  try {
    const bytes = readContained(dirname(file), basename(file), { maxBytes: LIMITS.hard.skillMd });
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
