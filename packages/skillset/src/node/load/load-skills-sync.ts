import { SkillError } from "../../core/base/errors.ts";
import { invalid } from "../../core/base/invalid.ts";
import type { Problem } from "../../core/base/problem.ts";
import { resolvePolicy } from "../../core/manifest/policy.ts";
import { isStored, type StoredSkill } from "../../core/skill/skill.ts";
import { compileFilter, type NameFilter } from "../../core/source/select.ts";
import { NOTHING_IGNORED } from "../files/ignored-folders.ts";
import type { FolderReading } from "../skill-folder/read-skill-folder.ts";
import { scan } from "./scan.ts";
import { scanDepth } from "./scan-depth.ts";

export interface LoadSkillsSyncOptions extends NameFilter {
  /**
   * How many levels of folders to search, at most 6. `true` searches all 6.
   * @default 1
   */
  readonly recursive?: boolean | number;
}

export interface LoadedSkills {
  readonly skills: readonly StoredSkill[];
  /** Warnings and hints, such as a link that leaves the folder. */
  readonly problems: readonly Problem[];
}

/**
 * Loads the skills of one folder synchronously. Throws for a skill that breaks the standard and for duplicate names.
 * Loads no skill from outside the folder.
 */
export function loadSkillsSync(path: string, options: LoadSkillsSyncOptions = {}): LoadedSkills {
  const depth = scanDepth(options.recursive);
  const reasonAgainst = compileFilter(options);
  const problems: Problem[] = [];
  const skills = new Map<string, StoredSkill>();
  const onReading = ({ candidate, problems: own }: FolderReading, isFirst: boolean): void => {
    // A link to a skill in the folder is the same skill again.
    if (!isFirst) return;
    const name = candidate.kind === "skill" ? candidate.skill.name : candidate.name;
    if (reasonAgainst(name) !== undefined) return;
    if (candidate.kind === "invalid") throw invalid(own, name);
    problems.push(...own);
    const { skill } = candidate;
    const other = skills.get(name);
    if (other !== undefined && isStored(skill)) throw collision(other, skill);
    if (isStored(skill)) skills.set(name, skill);
  };
  // With `needsTrust`, links that leave the folder are not followed. Trust itself is not checked here.
  const source = {
    path,
    scope: "given" as const,
    optional: false,
    depth,
    needsTrust: true,
    within: undefined,
    isIgnored: NOTHING_IGNORED,
    quiet: false,
  };
  const sets = { failed: new Set<string>(), searched: new Set<string>() };
  const context = { problems, readings: new Map(), ...sets, known: new Map(), onReading };
  for (const _ of scan(source, { ...context, policy: resolvePolicy({ policy: "standard" }) }));
  return { skills: [...skills.values()], problems };
}

function collision(one: StoredSkill, other: StoredSkill): SkillError {
  const places = `${one.basePath} and ${other.basePath}`;
  return new SkillError("skill-collision", `Two skills are named '${one.name}': ${places}. Rename one of them.`);
}
