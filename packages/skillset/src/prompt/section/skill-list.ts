import { namesSkill } from "../../core/load/may-be-unmet.ts";
import { findUnmetSkills } from "../../core/source/required-skills.ts";
import type { SkillEntry } from "../../core/source/select.ts";
import { hideUnmet, unavailable } from "../../core/source/unavailable.ts";

/** The skills of one section: the same object until they change. */
export interface OwnSkills {
  /** The skills with their status. Which others they require is not looked up yet. */
  readonly entries: readonly SkillEntry[];
  /** The names of skills that are included whatever they require, among these entries or not. */
  readonly unchecked: ReadonlySet<string>;
}

/** The skills of one section. They may require those of the sections beside it in a prompt. */
export class SkillList {
  readonly #own: () => OwnSkills;
  #lists: readonly SkillList[] = [this];
  #names: readonly string[] = [];
  /** What `#entries` was decided by. */
  #from: readonly OwnSkills[] = [];
  #entries: readonly SkillEntry[] = [];

  constructor(own: () => OwnSkills) {
    this.#own = own;
  }

  /** Looks required skills up in these lists, of which this is one, and among these names. */
  join(lists: readonly SkillList[], names: readonly string[]): void {
    if (!areSame(names, this.#names)) this.#from = [];
    this.#lists = lists;
    this.#names = names;
  }

  /** The skills with their status. The array is the section's own if none requires a missing skill. */
  get entries(): readonly SkillEntry[] {
    const from = this.#lists.map((list) => list.#own());
    if (areSame(from, this.#from)) return this.#entries;
    const others = new Set([...this.#names, ...from.flatMap(({ unchecked }) => [...unchecked])]);
    const names = new Set([...others, ...from.flatMap(({ entries }) => entries.map(({ name }) => name))]);
    const found = from.map(({ entries, unchecked }) => ({ entries: withoutSkills(entries, names), unchecked }));
    const checked = found.flatMap(({ entries, unchecked }) => entries.filter(({ name }) => !unchecked.has(name)));
    const own = found[this.#lists.indexOf(this)]?.entries ?? [];
    this.#entries = hideUnmet(own, findUnmetSkills(checked, others));
    this.#from = from;
    return this.#entries;
  }
}

function areSame<Item>(these: readonly Item[], those: readonly Item[]): boolean {
  return these.length === those.length && these.every((one, index) => one === those[index]);
}

/** A required command that is in fact a skill of another section is not missing. */
function withoutSkills(entries: readonly SkillEntry[], names: ReadonlySet<string>): readonly SkillEntry[] {
  if (!entries.some(({ status }) => status === "unavailable")) return entries;
  return entries.map((entry) => {
    if (entry.status !== "unavailable") return entry;
    const { name, skill, host } = entry;
    const unmet = entry.unmet.filter((one) => !namesSkill(one, names));
    return unmet.length === 0 ? { status: "enabled", name, skill, host } : unavailable(entry, unmet);
  });
}
