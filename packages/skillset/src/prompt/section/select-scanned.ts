import { type SkillMetadata, toSkillMetadata } from "../../compat/views.ts";
import { SkillError } from "../../core/base/errors.ts";
import { invalid } from "../../core/base/invalid.ts";
import type { Problem } from "../../core/base/problem.ts";
import { isStored, type StoredSkill } from "../../core/skill/skill.ts";
import {
  compileFilter,
  describePlace,
  enabledSkills,
  type SelectOptions,
  type SkillCandidate,
  type SkillEntry,
  selectEach,
} from "../../core/source/select.ts";
import { unmetProblems } from "../../core/source/unavailable.ts";
import type { ScannedSkills } from "../../node/load/scan-skills-sync.ts";
import type { SkillFolder } from "./section.ts";
import type { OwnSkills } from "./skill-list.ts";

/** The selected skills of a section, before those that they require are looked up, and what is wrong with them. */
export interface ScannedSelection {
  readonly own: OwnSkills;
  readonly problems: readonly Problem[];
}

/** The skills that a section lists, and what is wrong with them and with the others. */
export interface ListedSelection {
  /** What was listed. */
  readonly entries: readonly SkillEntry[];
  readonly skills: readonly StoredSkill[];
  /** The skills as a section shows them. */
  readonly listed: readonly SkillMetadata[];
  /** The folders of those that models may load. */
  readonly folders: readonly (SkillFolder & { readonly skill: StoredSkill })[];
  readonly problems: readonly Problem[];
}

/**
 * Selects skills as `createSkillset` does, but a section is strict: it throws for a skill that breaks the standard and
 * for duplicate names, unless the filter leaves the skill out. `candidates` are those of the readings.
 */
export function selectScanned(
  { readings, problems: scanned }: ScannedSkills,
  candidates: readonly SkillCandidate[],
  options: SelectOptions,
): ScannedSelection {
  const reasonAgainst = compileFilter(options);
  const problems = [...scanned];
  for (const { candidate, problems: own } of readings) {
    const name = candidate.kind === "skill" ? candidate.skill.name : candidate.name;
    if (reasonAgainst(name) !== undefined) continue;
    if (candidate.kind === "invalid") throw invalid(own, name);
    problems.push(...own);
  }
  const { entries, collisions, problems: found } = selectEach(candidates, options);
  for (const { name, winner, losers } of collisions) {
    if (reasonAgainst(name) !== undefined) continue;
    const places = [winner, ...losers.slice(0, 1)].map(describePlace).join(" and ");
    throw new SkillError("skill-collision", `Two skills are named '${name}': ${places}. Rename one of them.`);
  }
  const unchecked = options.requirements === false ? enabledSkills(entries).map(({ name }) => name) : [];
  return { own: { entries, unchecked: new Set(unchecked) }, problems: [...problems, ...found] };
}

/** Describes the skills that are enabled for a section to list. */
export function listSelected(entries: readonly SkillEntry[], problems: readonly Problem[]): ListedSelection {
  const skills = enabledSkills(entries).filter(isStored);
  const listed = Object.freeze(skills.map(toSkillMetadata));
  const folders = skills
    .filter(({ modelInvocable }) => modelInvocable)
    .map((skill) => ({ name: skill.name, folder: skill.basePath, skill }));
  return { entries, skills, listed, folders, problems: Object.freeze([...problems, ...unmetProblems(entries)]) };
}
