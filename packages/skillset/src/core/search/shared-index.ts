import type { Skill } from "../skill/skill.ts";
import type { IndexStore } from "./index-store.ts";
import type { RankIndex } from "./rank.ts";
import type { SkillIndex } from "./skill-index.ts";

/** The index of a skillset, of its parts and of what it becomes by reloading. Loads its code on first use. */
export class SharedIndex {
  readonly #store: IndexStore | undefined;
  readonly #indexes = new Map<boolean, Promise<SkillIndex>>();

  constructor(store?: IndexStore) {
    this.#store = store;
  }

  async list(skills: readonly Skill[], body: boolean): Promise<RankIndex> {
    let index = this.#indexes.get(body);
    if (index === undefined) {
      const store = body ? this.#store : undefined;
      index = import("./skill-index.ts").then(({ SkillIndex }) => new SkillIndex({ body, store }));
      this.#indexes.set(body, index);
    }
    return (await index).list(skills);
  }
}
