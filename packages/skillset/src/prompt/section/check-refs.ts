import type { Problem } from "../../core/base/problem.ts";
import { defineSkill } from "../../core/skill/define-skill.ts";
import type { Skill } from "../../core/skill/skill.ts";
import { type SkillCandidate, selectSkills } from "../../core/source/select.ts";
import { checkRequirementsSync, needsTime } from "../../node/requirements/check-requirements.ts";
import { withUnmet } from "../../node/requirements/with-unmet.ts";
import type { SkillRef } from "./skill-ref.ts";
import type { SkillSection } from "./skill-section.ts";

/** Which references of a section can be used, and what is wrong with them and with the others. */
export class CheckedRefs {
  readonly #skills: ReadonlyMap<SkillRef, Skill>;
  readonly #unavailable: ReadonlySet<Skill>;
  readonly problems: readonly Problem[];

  constructor(refs: readonly SkillRef[], candidates: readonly SkillCandidate[]) {
    const { entries, problems } = selectSkills(candidates);
    const unchecked = new Set(refs.filter((ref) => !ref.requirements).map(({ name }) => name));
    this.#skills = new Map(refs.map((ref) => [ref, ref.skill]));
    this.#unavailable = new Set(
      entries.flatMap((one) => (one.status === "unavailable" && !unchecked.has(one.name) ? [one.skill] : [])),
    );
    this.problems = Object.freeze([
      ...refs.flatMap((ref) => ref.problems).filter(({ code }) => code !== "requirement-unmet"),
      ...problems.filter(({ code, skill = "" }) => code === "requirement-unmet" && !unchecked.has(skill)),
    ]);
  }

  /** Whether a reference is one of these, and its requirements are met. */
  has(ref: SkillRef): boolean {
    return this.#skills.has(ref) && !this.#unavailable.has(ref.skill);
  }

  /** Whether these are the same references, to skills that have not changed. */
  isOf(refs: readonly SkillRef[]): boolean {
    return refs.length === this.#skills.size && refs.every((ref) => this.#skills.get(ref) === ref.skill);
  }
}

/** Looks up what references require. Other skills that they require must be in the same section. */
export function checkRefs(refs: readonly SkillRef[], inline: readonly SkillSection[]): CheckedRefs {
  return new CheckedRefs(refs, checkRequirementsSync(candidatesOf(refs, inline)));
}

/** The same, with Python and packages. Returns undefined if no skill requires them. */
export async function checkRefsFully(
  refs: readonly SkillRef[],
  inline: readonly SkillSection[],
  signal: AbortSignal | undefined,
): Promise<CheckedRefs | undefined> {
  const candidates = candidatesOf(refs, inline);
  if (!candidates.some(needsTime)) return undefined;
  return new CheckedRefs(refs, await withUnmet(candidates, { cwd: process.cwd(), signal }));
}

function candidatesOf(refs: readonly SkillRef[], inline: readonly SkillSection[]): readonly SkillCandidate[] {
  const others = inline.map(({ name, description }) => defineSkill({ name, description, body: "" }));
  return [
    ...refs.map(({ skill, requirements }) => ({ kind: "skill" as const, skill, ...(!requirements && { unmet: [] }) })),
    ...others.map((skill) => ({ kind: "skill" as const, skill })),
  ];
}
