import type { Problem } from "../core/base/problem.ts";
import { refuses, resolvePolicy } from "../core/manifest/policy.ts";
import type { Skill } from "../core/skill/skill.ts";
import { Skillset } from "../core/skillset.ts";

/** The skills that follow every rule of the standard, and the problems of the others, as errors. */
export interface StrictSkills {
  readonly skillset: Skillset;
  readonly problems: readonly Problem[];
}

/** Leaves out skills that the strict policy rejects, regardless of the skillset's policy. */
export function strictSkillsOf(skillset: Skillset): StrictSkills {
  const broken = skillset.problems.filter(({ code }) => code === "hidden-text" || refuses(STRICT, code));
  const places = new Set(broken.map(({ path }) => path));
  // Skills in code have no SKILL.md. They are validated when they are defined.
  const isBroken = (skill: Skill): boolean => places.has(skill.location ?? "");
  const refused = new Set(skillset.skills.filter(isBroken).map(({ location }) => location));
  if (refused.size === 0) return { skillset, problems: [] };
  const { entries, problems, collisions, checksRequirements, catalogDefaults } = skillset;
  const skills = skillset.skills.filter((skill) => !isBroken(skill));
  return {
    skillset: new Skillset({ skills, entries, problems, collisions, checksRequirements, catalogDefaults }, skillset),
    problems: broken.filter(({ path }) => refused.has(path)).map((problem) => ({ ...problem, severity: "error" })),
  };
}

const STRICT = resolvePolicy({ policy: "strict" });
