import type { Problem } from "../base/problem.ts";
import type { SkillHost } from "../host/skill-host.ts";
import type { Skillset } from "../skillset.ts";
import type { SkillCandidate } from "../source/select.ts";

/**
 * Returns another skillset's skills, including those that are not enabled, most of which still shadow others. Each keeps
 * what runs its code, as far as `narrow` allows it.
 */
export function readSkillset(
  { entries, problems, settings: { requirements = true } }: Skillset,
  narrow: (host: SkillHost) => SkillHost,
): {
  readonly candidates: readonly SkillCandidate[];
  readonly problems: readonly Problem[];
} {
  const candidates = entries.flatMap((entry): SkillCandidate[] => {
    if (entry.status === "shadowed") return [];
    if (entry.status === "invalid")
      return [{ kind: "invalid", name: entry.name, origin: entry.origin, reason: entry.reason }];
    const { skill } = entry;
    const host = entry.host === undefined ? "none" : narrow(entry.host);
    if (entry.status === "enabled") return [{ kind: "skill", skill, host, ...(requirements && { unmet: [] }) }];
    // Other sources may have the skills that this one requires.
    if (entry.status === "unavailable")
      return [{ kind: "skill", skill, host, unmet: entry.unmet.filter(({ kind }) => kind !== "skill") }];
    return [{ kind: "skill", skill, host, [entry.status]: entry.reason }];
  });
  return { candidates, problems: problems.filter(({ code }) => code !== "requirement-unmet") };
}
