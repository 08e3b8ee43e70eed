import type { Problem } from "../core/base/problem.ts";
import { refuses, resolvePolicy } from "../core/manifest/policy.ts";
import { deriveSkillset, type Skillset } from "../core/skillset.ts";
import type { SkillEntry } from "../core/source/select.ts";

/** The skills that follow every rule of the standard, and the problems of the others, as errors. */
export interface StrictSkills {
  readonly skillset: Skillset;
  readonly problems: readonly Problem[];
}

/** Leaves out skills that the strict policy rejects, regardless of the skillset's policy. */
export function strictSkillsOf(skillset: Skillset): StrictSkills {
  const { refused, broken } = refusedIn(skillset);
  if (refused.size === 0) return { skillset, problems: [] };
  const entriesOf = (set: Skillset): readonly SkillEntry[] => {
    const places = refusedIn(set).refused;
    return set.entries.map((entry) => {
      if (entry.status !== "enabled" || !places.has(entry.skill.location)) return entry;
      return { ...entry, status: "disabled", reason: "it breaks a rule of the strict policy" };
    });
  };
  return {
    skillset: deriveSkillset(skillset, (set) => ({ entries: entriesOf(set) })),
    problems: broken.filter(({ path }) => refused.has(path)).map((problem) => ({ ...problem, severity: "error" })),
  };
}

/** The places of skills that the strict policy rejects, and why. */
function refusedIn(skillset: Skillset) {
  const broken = skillset.problems.filter(({ code }) => code === "hidden-text" || refuses(STRICT, code));
  const places = new Set(broken.map(({ path }) => path));
  // Skills in code have no SKILL.md. They are validated when they are defined.
  const locations = skillset.skills.flatMap(({ location }) => location ?? []);
  const refused = new Set<string | undefined>(locations.filter((location) => places.has(location)));
  return { broken, refused };
}

const STRICT = resolvePolicy({ policy: "strict" });
