import { LIMITS } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import type { Policy } from "../../core/manifest/policy.ts";
import type { SkillCandidate } from "../../core/source/select.ts";
import type { FolderReading } from "../skill-folder/read-skill-folder.ts";
import { checkTrust, type TrustRecord, type TrustState } from "./trust.ts";
import { loadTrusted } from "./trusted-skill.ts";

/** Returns a skill that checks everything it returns if its content is trusted, or a locked skill otherwise. */
export function lock(
  reading: FolderReading,
  record: TrustRecord | undefined,
  { policy, problems }: { readonly policy: Policy; readonly problems: Problem[] },
): SkillCandidate {
  const { candidate, origin } = reading;
  if (candidate.kind === "invalid") return candidate;
  const state = checkTrust(origin.folder, record);
  if (state === "trusted" && record !== undefined) {
    const trusted = loadTrusted(reading, record, policy);
    if (trusted !== undefined) return { kind: "skill", skill: trusted };
  }
  const { skill } = candidate;
  const locked = LOCKED[state === "trusted" ? "changed" : state];
  problems.push({
    code: "skill-locked",
    severity: "warning",
    message: `'${skill.name}' is locked: ${locked}.`,
    skill: skill.name,
    path: origin.folder,
    fix: "Review the skill, then run 'skillset trust'.",
  });
  return { kind: "skill", skill, locked };
}

const LOCKED: Readonly<Record<Exclude<TrustState, "trusted">, string>> = {
  new: "not trusted yet",
  changed: "changed since it was trusted",
  "too-large": `too large to be trusted: more than ${LIMITS.hard.filesInSkill} files or ${LIMITS.hard.skill / 1024 / 1024} MiB, or nested too deep`,
  unreadable: "not all of it can be read, so it cannot be trusted",
};
