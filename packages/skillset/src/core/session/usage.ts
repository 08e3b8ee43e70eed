import { SkillError } from "../base/errors.ts";
import { describeValue } from "../text/describe-value.ts";
import type { LedgerEntry } from "./ledger.ts";

/** How often a session used a skill, and what it cost. */
export interface SkillUsage {
  readonly skill: string;
  /** How often a catalog listed the skill. */
  readonly offered: number;
  readonly activated: number;
  readonly read: number;
  readonly called: number;
  /** How often one of its scripts ran; refused scripts are not counted. */
  readonly ran: number;
  readonly failed: number;
  /** The tokens of its instructions. */
  readonly tokens: number;
  /** When it was last activated, read, called or run, in milliseconds since 1970. */
  readonly lastUsed?: number;
}

/**
 * Summarizes a ledger by skill, in order of first use.
 * @example
 * ```ts
 * import { createSkillset, usageOf } from "skillset";
 *
 * const skillset = await createSkillset("./skills");
 * const session = await skillset.session();
 * for (const { skill, tokens } of usageOf(session.ledger.entries)) console.log(skill, tokens);
 * ```
 */
export function usageOf(entries: readonly LedgerEntry[]): readonly SkillUsage[] {
  if (!Array.isArray(entries as unknown))
    throw new SkillError("option-invalid", `usageOf() takes 'session.ledger.entries', not ${describeValue(entries)}.`);
  const usages = new Map<string, { -readonly [Field in keyof SkillUsage]: SkillUsage[Field] }>();
  const of = (skill: string) => {
    const usage = usages.get(skill) ?? { skill, ...UNUSED };
    usages.set(skill, usage);
    return usage;
  };
  for (const entry of entries) {
    if (entry.type === "skills-offered") {
      for (const skill of entry.skills) of(skill).offered++;
      continue;
    }
    const count = COUNTED[entry.type];
    if (count === undefined || !("skill" in entry) || entry.skill === undefined) continue;
    // Names that a model made up are not counted.
    if (entry.type === "operation-failed" && entry.code === "skill-not-found") continue;
    if (entry.type === "script-run" && entry.outcome === "refused") continue;
    const usage = of(entry.skill);
    usage[count]++;
    if (count !== "failed") usage.lastUsed = entry.at;
    if (entry.type === "skill-activated") usage.tokens += entry.tokens;
  }
  return [...usages.values()];
}

const UNUSED = { offered: 0, activated: 0, read: 0, called: 0, ran: 0, failed: 0, tokens: 0 };

const COUNTED: Partial<Record<LedgerEntry["type"], "activated" | "read" | "called" | "ran" | "failed">> = {
  "skill-activated": "activated",
  "file-read": "read",
  "tool-called": "called",
  "script-run": "ran",
  "operation-failed": "failed",
};
