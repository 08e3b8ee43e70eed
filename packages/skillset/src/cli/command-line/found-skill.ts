import type { Problem } from "../../core/base/problem.ts";
import type { FolderOrigin, SkillOrigin } from "../../core/skill/skill.ts";
import type { Skillset } from "../../core/skillset.ts";
import type { SkillEntry } from "../../core/source/select.ts";
import { locationIn } from "../../core/source/source-skill.ts";
import { statusReason } from "../terminal/status-mark.ts";

/** Whether an argument is a path and not a skill's name. */
export function isPathLike(given: string): boolean {
  return /[/\\]|^[.~]/.test(given);
}

/** Explains why a skill is unavailable, and what to do. A model does not learn that the skill exists; the person at the terminal does. */
export function whyAbsent({ entries }: Skillset, name: string): string {
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined || entry.status === "enabled") return "";
  const fixes =
    entry.status === "unavailable"
      ? [...new Set(entry.unmet.map(({ fix }) => ` ${fix}`))]
      : entry.status === "locked"
        ? [" Review it, then run 'skillset trust'."]
        : [];
  return ` '${name}' exists, but is ${statusReason(entry.status, entry.reason).replace(/\.$/, "")}.${fixes.join("")}`;
}

/** The origin of an entry, whatever its status. */
export function originOf(entry: SkillEntry): SkillOrigin {
  return entry.status === "invalid" ? entry.origin : entry.skill.origin;
}

/** The folder of an entry. Undefined for skills in code, from a `SkillSource` or from an MCP server. */
export function folderOf(entry: SkillEntry): FolderOrigin | undefined {
  const origin = originOf(entry);
  return origin.kind === "folder" ? origin : undefined;
}

/** The path or address of an entry's SKILL.md, as problems name it. Undefined for skills in code. */
export function locationOf(entry: SkillEntry): string | undefined {
  if (entry.status !== "invalid") return entry.skill.location;
  const { origin } = entry;
  return origin.kind === "folder" ? `${origin.folder}/SKILL.md` : locationIn(origin.source, origin.folder);
}

/** Groups problems by their file or folder. Problems without a path have the key "". */
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
