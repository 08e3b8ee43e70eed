import { SkillError } from "../base/errors.ts";
import type { Problem } from "../base/problem.ts";
import { checkChoice } from "../manifest/policy.ts";
import type { FolderOrigin, Skill, SourceOrigin } from "../skill/skill.ts";
import { compileNameGlob } from "../text/name-glob.ts";

/** What a source gave: a skill, perhaps locked, or a folder that holds none that can be used. */
export type SkillCandidate =
  | {
      readonly kind: "skill";
      readonly skill: Skill;
      /** Why it is not to be used, and hides nothing. */
      readonly locked?: string;
      /** Why it is switched off, though it hides what it shadows. */
      readonly disabled?: string;
    }
  | {
      readonly kind: "invalid";
      readonly name: string;
      readonly origin: FolderOrigin | SourceOrigin;
      readonly reason: string;
    };

/** Every skill that was found, and what became of it. */
export type SkillEntry =
  | { readonly status: "enabled"; readonly name: string; readonly skill: Skill }
  | { readonly status: "disabled" | "locked"; readonly name: string; readonly skill: Skill; readonly reason: string }
  | {
      readonly status: "shadowed";
      readonly name: string;
      readonly skill: Skill;
      readonly by: Skill;
      readonly reason: string;
    }
  | {
      readonly status: "invalid";
      readonly name: string;
      readonly origin: FolderOrigin | SourceOrigin;
      readonly reason: string;
    };

/** Which skills are used, by their names. */
export interface NameFilter {
  /** Only skills whose name is, or matches, one of these names and globs; without it, all. */
  readonly enabled?: readonly string[];
  /** No skill whose name is, or matches, one of these; beats `enabled`. */
  readonly disabled?: readonly string[];
}

/** Skills of one name: which of them is used, and which are not. */
export interface Collision {
  readonly name: string;
  readonly winner: Skill;
  readonly losers: readonly Skill[];
}

export interface FilterOptions extends NameFilter {
  /** At most so many skills. */
  readonly maxSkills?: number;
}

export interface SelectOptions extends FilterOptions {
  /** Which of several skills with one name is used; sources stand in order of precedence. */
  readonly collisions?: "first" | "last" | "error";
}

export interface Selection {
  readonly entries: readonly SkillEntry[];
  readonly skills: readonly Skill[];
  readonly collisions: readonly Collision[];
  readonly problems: readonly Problem[];
}

/** Settles collisions first and filters afterwards, so that a disabled skill still hides what it shadows. */
export function selectSkills(candidates: readonly SkillCandidate[], options: SelectOptions = {}): Selection {
  const problems: Problem[] = [];
  checkChoice("collisions", options.collisions, [undefined, "first", "last", "error"]);
  checkCount("maxSkills", options.maxSkills);
  const { winners, repeats } = settle(candidates, options.collisions ?? "first");
  const reasonAgainst = compileFilter(options);
  const entries: SkillEntry[] = [];
  const skills: Skill[] = [];
  const losers = new Map<string, Skill[]>();
  const max = options.maxSkills ?? Number.POSITIVE_INFINITY;
  const tooMany = `over the limit of ${max} ${max === 1 ? "skill" : "skills"}`;
  let overLimit = 0;
  // Counted by hand: making a pair for each of ten thousand would be noticed.
  let index = -1;
  for (const candidate of candidates) {
    index++;
    if (repeats.size > 0 && repeats.has(index)) continue;
    if (candidate.kind === "invalid") {
      const { name, origin, reason } = candidate;
      entries.push({ status: "invalid", name, origin, reason });
      continue;
    }
    const { skill, locked, disabled } = candidate;
    const { name } = skill;
    const winner = winners.get(name);
    if (locked !== undefined) {
      // The same folder may have been named by the user too, who is trusted.
      if (winner !== undefined && isSamePlace(winner, skill)) continue;
      entries.push({ status: "locked", name, skill, reason: locked });
    } else if (winner !== undefined && winner !== skill && !isSamePlace(winner, skill)) {
      entries.push({ status: "shadowed", name, skill, by: winner, reason: `shadowed by ${describePlace(winner)}` });
      const others = losers.get(name);
      if (others === undefined) losers.set(name, [skill]);
      else others.push(skill);
    } else {
      const against = disabled ?? reasonAgainst(name) ?? (skills.length >= max ? tooMany : undefined);
      if (against === undefined) {
        entries.push({ status: "enabled", name, skill });
        skills.push(skill);
      } else {
        entries.push({ status: "disabled", name, skill, reason: against });
        if (against === tooMany) overLimit++;
      }
    }
  }
  if (overLimit > 0) {
    problems.push({
      code: "skill-limit",
      severity: "warning",
      message: `${overLimit} skills are left out: at most ${max} are allowed.`,
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
        message: `'${name}' in ${describePlace(loser)} is not used: the one in ${describePlace(winner)} is.`,
        skill: name,
        path: loser.location,
        fix: "Rename one of them, or change the order of the sources.",
      });
    }
  }
  return { entries, skills, collisions, problems };
}

function isSamePlace(a: Skill, b: Skill): boolean {
  return a === b || (a.basePath !== undefined && a.basePath === b.basePath);
}

/** Where a skill stands, in words. */
export function describePlace(skill: Skill): string {
  return skill.basePath ?? skill.provider ?? "code";
}

interface Settlement {
  readonly winners: ReadonlyMap<string, Skill>;
  /** Where the same skill stands once more. */
  readonly repeats: ReadonlySet<number>;
}

/** Invalid and locked skills win nothing: they must not switch off a skill of the user's own. */
function settle(candidates: readonly SkillCandidate[], rule: "first" | "last" | "error"): Settlement {
  const winners = new Map<string, Skill>();
  const repeats = new Set<number>();
  let index = -1;
  for (const candidate of candidates) {
    index++;
    if (candidate.kind === "invalid" || candidate.locked !== undefined) continue;
    const { skill } = candidate;
    const known = winners.get(skill.name);
    if (known === undefined) winners.set(skill.name, skill);
    else if (isSamePlace(known, skill)) repeats.add(index);
    else if (rule === "last") winners.set(skill.name, skill);
    else if (rule === "error") {
      const places = `${describePlace(known)} and ${describePlace(skill)}`;
      throw new SkillError("skill-collision", `Two skills are called '${skill.name}': ${places}. Rename one of them.`);
    }
  }
  return { winners, repeats };
}

function checkCount(option: string, value: number | undefined): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value >= 0)) return;
  throw new SkillError("option-invalid", `'${option}' must be a whole number from 0 on; got ${value}.`);
}

/** Returns the reason why a name is filtered out, or undefined when it is not. */
export function compileFilter({ enabled, disabled = [] }: NameFilter): (name: string) => string | undefined {
  const enables = enabled && compileAll(enabled);
  const disables = compileAll(disabled);
  if (enables === undefined && disables.length === 0) return () => undefined;
  return (name) => {
    const against = disables.find(({ matches }) => matches(name))?.pattern;
    if (against !== undefined) return against === name ? "disabled" : `matches '${against}'`;
    if (enables !== undefined && !enables.some(({ matches }) => matches(name))) return "not among the enabled skills";
    return undefined;
  };
}

function compileAll(patterns: readonly string[]): { pattern: string; matches: (name: string) => boolean }[] {
  if (!Array.isArray(patterns)) {
    throw new SkillError("option-invalid", `Names and patterns must be a list; got ${JSON.stringify(patterns)}.`);
  }
  return patterns.map((pattern) => ({ pattern, matches: compileNameGlob(pattern) }));
}

/** A name in the settings that fits no skill is most often a slip of the pen. */
function unmatchedPatterns(options: FilterOptions, entries: readonly SkillEntry[]): Problem[] {
  return (["enabled", "disabled"] as const).flatMap((option) =>
    compileAll(options[option] ?? [])
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
