import type { RuledSkill } from "../allowed-tools/decide-call.ts";
import { disallowedTools } from "../allowed-tools/disallowed-tools.ts";

/**
 * What skills allow whose instructions the model has read without the session, such as in a prompt. The session's set may
 * lack such a skill, or have another one with that name.
 */
export class ReadRules {
  readonly #read = new Map<string, { readonly skill: RuledSkill; readonly isListed: boolean }>();

  /** Notes a skill that was read. `listed` is the skill of the set with that name. */
  note(skill: RuledSkill, listed: RuledSkill | undefined): void {
    this.#read.set(skill.name, { skill, isListed: listed !== undefined && rulesOf(listed) === rulesOf(skill) });
  }

  /** Returns the skills that decide for an active one: both, if the model has read another one than the set has. */
  with(name: string, listed: RuledSkill | undefined): readonly RuledSkill[] {
    const read = this.#read.get(name);
    if (listed === undefined) return read === undefined ? [] : [read.skill];
    return read === undefined || read.isListed ? [listed] : [listed, read.skill];
  }
}

function rulesOf(skill: RuledSkill): string {
  return JSON.stringify([skill.allowedTools, disallowedTools(skill)]);
}
