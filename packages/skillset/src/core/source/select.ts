import { checkChoice } from "../base/check-choice.ts";
import { SkillError } from "../base/errors.ts";
import type { Problem } from "../base/problem.ts";
import type { SkillHost } from "../host/skill-host.ts";
import type { UnmetRequirement } from "../manifest/requirements.ts";
import type { FolderOrigin, Skill, SourceOrigin } from "../skill/skill.ts";
import { versionOf } from "../skill/skill-version.ts";
import { compileNameGlob } from "../text/name-glob.ts";
import { compareVersions, parseVersion } from "../text/version.ts";
import { hideUnmet, unavailable, unmetProblems } from "./unavailable.ts";

/** What a source found: a skill, which may be locked, or a folder without a valid skill. */
export type SkillCandidate =
  | {
      readonly kind: "skill";
      readonly skill: Skill;
      /** Why the skill is locked. A locked skill shadows no other. */
      readonly locked?: string;
      /** Why the skill is disabled. It still shadows others. */
      readonly disabled?: string;
      /** The requirements that are not met. The skill still shadows others. Undefined if they are not checked yet. */
      readonly unmet?: readonly UnmetRequirement[];
      /** What runs its code: `none` if the skillset that it comes from has nothing, and that of this load if omitted. */
      readonly host?: SkillHost | "none" | undefined;
    }
  | {
      readonly kind: "invalid";
      readonly name: string;
      readonly origin: FolderOrigin | SourceOrigin;
      readonly reason: string;
    };

/** A skill that was found, with its status. */
export type SkillEntry =
  | (FoundSkill & { readonly status: "enabled" })
  | (FoundSkill & { readonly status: "disabled" | "locked"; readonly reason: string })
  | (FoundSkill & {
      readonly status: "unavailable";
      readonly reason: string;
      readonly unmet: readonly UnmetRequirement[];
    })
  | (FoundSkill & { readonly status: "shadowed"; readonly by: Skill; readonly reason: string })
  | {
      readonly status: "invalid";
      readonly name: string;
      readonly origin: FolderOrigin | SourceOrigin;
      readonly reason: string;
    };

interface FoundSkill {
  readonly name: string;
  readonly skill: Skill;
  /** What runs the skill's code. Undefined if the skillset that loaded it has neither `scripts` nor `toolsets`. */
  readonly host?: SkillHost | undefined;
}

/** Selects skills by name. */
export interface NameFilter {
  /** Enables only skills that match one of these names or globs. All skills if omitted. */
  readonly enabled?: readonly string[];
  /** Disables skills that match one of these names or globs. Takes precedence over `enabled`. */
  readonly disabled?: readonly string[];
}

/** Skills with the same name: the one that is used, and the others. */
export interface Collision {
  readonly name: string;
  readonly winner: Skill;
  readonly losers: readonly Skill[];
}

export interface FilterOptions extends NameFilter {
  /** The maximum number of skills. Unlimited if omitted. */
  readonly maxSkills?: number;
}

export interface SelectOptions extends FilterOptions {
  /**
   * Which of several skills with the same name is used, in the order of the sources. `highest` uses the one with the
   * newer `metadata.version`, and the first one if either has no valid version.
   * @default "first"
   */
  readonly collisions?: CollisionRule;
  /**
   * Hides skills whose requirements are not met. If false, they are loaded anyway.
   * @default true
   */
  readonly requirements?: boolean;
}

export const COLLISION_RULES = ["first", "last", "highest", "error"] as const;
type CollisionRule = (typeof COLLISION_RULES)[number];

export interface Selection {
  /** Every skill that was found. Those that are enabled are in order of precedence. */
  readonly entries: readonly SkillEntry[];
  readonly collisions: readonly Collision[];
  readonly problems: readonly Problem[];
}

/** Selects skills, and hides those whose requirements are not met. */
export function selectSkills(
  candidates: readonly SkillCandidate[],
  options: SelectOptions = {},
  ownHost?: SkillHost,
): Selection {
  const { entries: each, collisions, problems } = selectEach(candidates, options, ownHost);
  const entries = options.requirements === false ? each : hideUnmet(each);
  return { entries, collisions, problems: [...problems, ...unmetProblems(entries)] };
}

/**
 * Selects skills, without looking up which others they require. Resolves collisions before filtering, so that a disabled
 * skill still shadows others.
 */
export function selectEach(
  candidates: readonly SkillCandidate[],
  options: SelectOptions = {},
  ownHost?: SkillHost,
): Selection {
  const problems: Problem[] = [];
  checkChoice("collisions", options.collisions, [undefined, ...COLLISION_RULES]);
  checkChoice("requirements", options.requirements, [undefined, true, false]);
  checkCount("maxSkills", options.maxSkills);
  const { requirements = true } = options;
  const { winners, repeats } = settle(candidates, options.collisions ?? "first");
  const reasonAgainst = compileFilter(options);
  const entries: SkillEntry[] = [];
  const losers = new Map<string, Skill[]>();
  const max = options.maxSkills ?? Number.POSITIVE_INFINITY;
  const tooMany = `over the limit of ${max} ${max === 1 ? "skill" : "skills"}`;
  let enabled = 0;
  let overLimit = 0;
  // Counts by hand: creating a pair for each of ten thousand skills is measurably slower.
  let index = -1;
  for (const candidate of candidates) {
    index++;
    if (repeats.size > 0 && repeats.has(index)) continue;
    if (candidate.kind === "invalid") {
      const { name, origin, reason } = candidate;
      entries.push({ status: "invalid", name, origin, reason });
      continue;
    }
    const { skill, locked, disabled, unmet = NONE } = candidate;
    const { name } = skill;
    const host = candidate.host === "none" ? undefined : (candidate.host ?? ownHost);
    const winner = winners.get(name);
    if (locked !== undefined) {
      // The user may also have listed the same folder, which makes it trusted.
      if (winner !== undefined && isSamePlace(winner, skill)) continue;
      entries.push({ status: "locked", name, skill, host, reason: locked });
    } else if (winner !== undefined && winner !== skill && !isSamePlace(winner, skill)) {
      const reason = `shadowed by ${describeVersioned(winner)}`;
      entries.push({ status: "shadowed", name, skill, host, by: winner, reason });
      const others = losers.get(name);
      if (others === undefined) losers.set(name, [skill]);
      else others.push(skill);
    } else {
      const filtered = disabled ?? reasonAgainst(name);
      if (filtered === undefined && requirements && unmet.length > 0) {
        entries.push(unavailable({ skill, host }, unmet));
        continue;
      }
      const against = filtered ?? (enabled >= max ? tooMany : undefined);
      if (against === undefined) {
        entries.push({ status: "enabled", name, skill, host });
        enabled++;
      } else {
        entries.push({ status: "disabled", name, skill, host, reason: against });
        if (against === tooMany) overLimit++;
      }
    }
  }
  if (overLimit > 0) {
    problems.push({
      code: "skill-limit",
      severity: "warning",
      message: `${overLimit} skills are left out: the limit is ${max}.`,
      fix: "Raise maxSkills, or disable skills that are not needed.",
    });
  }
  problems.push(...unmatchedPatterns(options, entries));
  const collisions = Array.from(losers, ([name, lost]) => ({ name, winner: winners.get(name) as Skill, losers: lost }));
  for (const { name, winner, losers: lost } of collisions) {
    for (const loser of lost) {
      problems.push({
        code: "skill-shadowed",
        severity: "warning",
        message: `'${name}' in ${describeVersioned(loser)} is not used: ${describeVersioned(winner)} takes precedence.`,
        skill: name,
        path: loser.location,
        fix: "Rename one of them, or change the order of the sources.",
      });
    }
  }
  return { entries, collisions, problems };
}

/** Returns the skills that can be used. */
export function enabledSkills(entries: readonly SkillEntry[]): Skill[] {
  const skills: Skill[] = [];
  for (const entry of entries) if (entry.status === "enabled") skills.push(entry.skill);
  return skills;
}

const NONE: readonly UnmetRequirement[] = [];

function isSamePlace(a: Skill, b: Skill): boolean {
  return placeOf(a) === placeOf(b);
}

/** The folder of a skill. A skill without one is only the same as itself. */
function placeOf(skill: Skill): unknown {
  return skill.basePath ?? skill;
}

/** Describes where a skill comes from, with its version. */
function describeVersioned(skill: Skill): string {
  const version = versionOf(skill);
  return version === undefined ? describePlace(skill) : `${describePlace(skill)} (version ${version})`;
}

/** Describes where a skill comes from. */
export function describePlace(skill: Skill): string {
  return skill.basePath ?? skill.provider ?? "code";
}

interface Settlement {
  readonly winners: ReadonlyMap<string, Skill>;
  /** The indexes of repeated candidates for the same skill. */
  readonly repeats: ReadonlySet<number>;
}

/** Invalid and locked skills never win: they must not shadow a valid skill. */
function settle(candidates: readonly SkillCandidate[], rule: CollisionRule): Settlement {
  const winners = new Map<string, Skill>();
  /** Those that share a name, by place. */
  const rivals = new Map<string, Map<unknown, Skill>>();
  const repeats = new Set<number>();
  let index = -1;
  for (const candidate of candidates) {
    index++;
    if (candidate.kind === "invalid" || candidate.locked !== undefined) continue;
    const { skill } = candidate;
    const known = winners.get(skill.name);
    if (known === undefined) {
      winners.set(skill.name, skill);
      continue;
    }
    const places = rivals.get(skill.name) ?? new Map([[placeOf(known), known]]);
    rivals.set(skill.name, places);
    const same = places.get(placeOf(skill));
    if (same === undefined) places.set(placeOf(skill), skill);
    else repeats.add(index);
    if (same === known) continue;
    if (rule === "last" || (rule === "highest" && isNewer(skill, known))) winners.set(skill.name, same ?? skill);
    else if (rule === "error") {
      const both = `${describePlace(known)} and ${describePlace(skill)}`;
      throw new SkillError("skill-collision", `Two skills are named '${skill.name}': ${both}. Rename one of them.`);
    }
  }
  return { winners, repeats };
}

function isNewer({ metadata }: Skill, { metadata: known }: Skill): boolean {
  const [version, before] = [parseVersion(metadata.version ?? ""), parseVersion(known.version ?? "")];
  return version !== undefined && before !== undefined && compareVersions(version, before) > 0;
}

function checkCount(option: string, value: number | undefined): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value >= 0)) return;
  throw new SkillError("option-invalid", `'${option}' must be a non-negative integer, not ${value}.`);
}

/** Returns the reason why a name is filtered out, or undefined if it is not. */
export function compileFilter({ enabled, disabled = [] }: NameFilter): (name: string) => string | undefined {
  const enables = enabled && compileAll("enabled", enabled);
  const disables = compileAll("disabled", disabled);
  if (enables === undefined && disables.length === 0) return () => undefined;
  return (name) => {
    const against = disables.find(({ matches }) => matches(name))?.pattern;
    if (against !== undefined) return against === name ? "disabled" : `matches '${against}'`;
    if (enables !== undefined && !enables.some(({ matches }) => matches(name))) return "not among the enabled skills";
    return undefined;
  };
}

function compileAll(
  option: keyof NameFilter,
  patterns: readonly string[],
): { pattern: string; matches: (name: string) => boolean }[] {
  if (!Array.isArray(patterns) || patterns.some((pattern) => typeof pattern !== "string")) {
    const message = `'${option}' must be an array of names and patterns, not ${JSON.stringify(patterns)}.`;
    throw new SkillError("option-invalid", message);
  }
  return patterns.map((pattern) => ({ pattern, matches: compileNameGlob(pattern) }));
}

/** A pattern that matches no skill is most often a typo. */
function unmatchedPatterns(options: FilterOptions, entries: readonly SkillEntry[]): Problem[] {
  return (["enabled", "disabled"] as const).flatMap((option) =>
    compileAll(option, options[option] ?? [])
      .filter(({ matches }) => !entries.some(({ name }) => matches(name)))
      .map(
        ({ pattern }): Problem => ({
          code: "pattern-unmatched",
          severity: "info",
          message: `'${pattern}' in '${option}' matches no skill.`,
          fix: "Correct the name, or remove it.",
        }),
      ),
  );
}
