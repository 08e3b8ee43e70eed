import type { Problem } from "../base/problem.ts";
import type { Skillset } from "../skillset.ts";
import type { SkillCandidate } from "../source/select.ts";

/** Returns another skillset's skills, including those that are not enabled, most of which still shadow others. */
export function readSkillset({ entries, problems, settings: { requirements = true } }: Skillset): {
  readonly candidates: readonly SkillCandidate[];
  readonly problems: readonly Problem[];
} {
  const candidates = entries.flatMap((entry): SkillCandidate[] => {
    if (entry.status === "shadowed") return [];
    if (entry.status === "invalid")
      return [{ kind: "invalid", name: entry.name, origin: entry.origin, reason: entry.reason }];
    const { skill } = entry;
    if (entry.status === "enabled") return [{ kind: "skill", skill, ...(requirements && { unmet: [] }) }];
    // Other sources may have the skills that this one requires.
    if (entry.status === "unavailable")
      return [{ kind: "skill", skill, unmet: entry.unmet.filter(({ kind }) => kind !== "skill") }];
    return [{ kind: "skill", skill, [entry.status]: entry.reason }];
  });
  return { candidates, problems: problems.filter(({ code }) => code !== "requirement-unmet") };
}
