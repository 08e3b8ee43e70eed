import type { Problem } from "../../core/base/problem.ts";
import type { Skill } from "../../core/skill/skill.ts";
import { type SkillCandidate, selectEach } from "../../core/source/select.ts";
import { unmetProblems } from "../../core/source/unavailable.ts";
import { checkRequirementsSync, needsTime } from "../../node/requirements/check-requirements.ts";
import { withUnmet } from "../../node/requirements/with-unmet.ts";
import { type OwnSkills, SkillList } from "./skill-list.ts";
import type { SkillRef } from "./skill-ref.ts";

/** Which references of a section can be used, and what is wrong with them and with the others. */
export class CheckedRefs {
  /** The skills of the references, without those that are included whatever they require. */
  readonly list: SkillList = new SkillList(() => this.#current().own);
  readonly #refs: readonly SkillRef[];
  readonly #inCode: readonly string[];
  #last: CheckedSkills | undefined;

  /** `inCode` are the names of the section's other skills. */
  constructor(refs: readonly SkillRef[], inCode: readonly string[]) {
    this.#refs = refs;
    this.#inCode = inCode;
  }

  /** The enabled references whose requirements are met. */
  get usable(): ReadonlySet<SkillRef> {
    const { entries } = this.list;
    const hidden = new Set(entries.flatMap((one) => (one.status === "unavailable" ? [one.skill] : [])));
    return new Set(this.#enabled.filter(({ skill }) => !hidden.has(skill)));
  }

  /** What is wrong with the enabled references although they can be used, and why others are unavailable. */
  get problems(): readonly Problem[] {
    const { entries } = this.list;
    const others = this.#enabled.flatMap(({ problems }) => problems).filter(({ code }) => code !== "requirement-unmet");
    return Object.freeze([...others, ...unmetProblems(entries)]);
  }

  /** Looks up what takes time: Python and packages. */
  async checkFully(signal: AbortSignal | undefined): Promise<void> {
    const refs = this.#enabled;
    const candidates = candidatesOf(refs);
    if (!candidates.some(needsTime)) return;
    this.#take(refs, await withUnmet(candidates, { cwd: process.cwd(), signal }));
  }

  get #enabled(): readonly SkillRef[] {
    return this.#refs.filter((ref) => ref.isEnabled());
  }

  /** Looks requirements up again only if a reference has changed. */
  #current(): CheckedSkills {
    const refs = this.#enabled;
    const { skills } = this.#last ?? {};
    const isSame = skills?.size === refs.length && refs.every((ref) => skills.get(ref) === ref.skill);
    if (this.#last !== undefined && isSame) return this.#last;
    return this.#take(refs, checkRequirementsSync(candidatesOf(refs)));
  }

  #take(refs: readonly SkillRef[], candidates: readonly SkillCandidate[]): CheckedSkills {
    const unchecked = refs.filter(({ requirements }) => !requirements).map(({ name }) => name);
    const own = { entries: selectEach(candidates).entries, unchecked: new Set([...unchecked, ...this.#inCode]) };
    this.#last = { skills: new Map(refs.map((ref) => [ref, ref.skill])), own };
    return this.#last;
  }
}

interface CheckedSkills {
  /** The skills that were looked up, by their references. */
  readonly skills: ReadonlyMap<SkillRef, Skill>;
  readonly own: OwnSkills;
}

function candidatesOf(refs: readonly SkillRef[]): readonly SkillCandidate[] {
  return refs.filter(({ requirements }) => requirements).map(({ skill }) => ({ kind: "skill", skill }));
}
