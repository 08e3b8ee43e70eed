import type { Problem } from "../../core/base/problem.ts";
import type { SkillEntry } from "../../core/set/select.ts";
import type { FolderOrigin, SkillOrigin } from "../../core/skill/skill.ts";

/** Where an entry comes from, whatever became of it. */
export function originOf(entry: SkillEntry): SkillOrigin {
  return entry.status === "invalid" ? entry.origin : entry.skill.origin;
}

/** The folder of an entry of a set that was loaded from folders only. */
export function folderOf(entry: SkillEntry): FolderOrigin {
  const origin = originOf(entry);
  if (origin.kind !== "folder") throw new TypeError(`'${entry.name}' is not in a folder.`);
  return origin;
}

/** Problems by the file or folder that they are in; the rest under the empty path. */
export function groupByPath(problems: Iterable<Problem>): Map<string, Problem[]> {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const path = problem.path ?? "";
    const group = groups.get(path);
    if (group === undefined) groups.set(path, [problem]);
    else group.push(problem);
  }
  return groups;
}
