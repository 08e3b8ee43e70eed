import { LIMITS } from "../core/limits.ts";
import type { Problem } from "../core/problem.ts";
import type { Candidate } from "../core/select.ts";
import type { FolderSkill } from "./folder-skill.ts";
import { type FolderReading, isUnchanged } from "./read-skill-folder.ts";
import { checkTrust, type TrustRecord, type TrustState } from "./trust.ts";
import { TrustedSkill } from "./trusted-skill.ts";

/** The skill with a check on everything that it gives, when its content is trusted; locked otherwise. */
export function lock(
  { candidate, origin }: FolderReading,
  record: TrustRecord | undefined,
  problems: Problem[],
): Candidate {
  if (candidate.kind === "invalid") return candidate;
  const { folder, stamp } = origin;
  const state = checkTrust(folder, record);
  const skill = candidate.skill as FolderSkill;
  // What was read before the check must be what was checked.
  if (state === "trusted" && record !== undefined && isUnchanged(folder, stamp)) {
    return { kind: "skill", skill: new TrustedSkill(skill, record) };
  }
  const locked = LOCKED[state === "trusted" ? "changed" : state];
  problems.push({
    code: "skill-locked",
    severity: "warning",
    message: `'${skill.name}' is locked: ${locked}.`,
    skill: skill.name,
    path: skill.basePath,
    fix: "Read the skill, then run 'skillset trust'.",
  });
  return { kind: "skill", skill, locked };
}

const LOCKED: Readonly<Record<Exclude<TrustState, "trusted">, string>> = {
  new: "not trusted yet: run 'skillset trust' in the project",
  changed: "changed since it was trusted: look at it, then run 'skillset trust' again",
  "too-large": `too large to be trusted: more than ${LIMITS.hard.filesInSkill} files or ${LIMITS.hard.skill / 1024 / 1024} MiB, or nested too deep`,
  unreadable: "not all of it can be read, so it cannot be trusted",
};
