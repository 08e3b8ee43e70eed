import type { TimeSlices } from "../base/time-slices.ts";
import { changeMark } from "../skill/fingerprint.ts";
import type { Skill } from "../skill/skill.ts";

/** Identifies versions of skills without reading them. */
export class SkillKeys {
  readonly #keys = new WeakMap<Skill, string>();
  #objects = 0;

  /** Returns a different key for each of the skills. The same skill can occur twice. */
  async of(skills: readonly Skill[], slices: TimeSlices): Promise<string[]> {
    const seen = new Map<string, number>();
    const keys: string[] = [];
    for (const skill of skills) {
      const key = this.#keyOf(skill);
      const before = seen.get(key) ?? 0;
      seen.set(key, before + 1);
      keys.push(before === 0 ? key : `${key} ${before}`);
      if (slices.isOver()) await slices.next();
    }
    return keys;
  }

  /** A reload keeps the object of an unchanged skill, or makes one with the same stamp. */
  #keyOf(skill: Skill): string {
    const known = this.#keys.get(skill);
    if (known !== undefined) return known;
    const { name, description, stamp, basePath = "" } = skill;
    const key = stamp === undefined ? `object ${++this.#objects}` : changeMark([name, description, basePath, stamp]);
    this.#keys.set(skill, key);
    return key;
  }
}
