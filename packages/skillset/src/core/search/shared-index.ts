import type { Skill } from "../skill/skill.ts";
import type { RankIndex } from "./rank.ts";
import type { SkillIndex } from "./skill-index.ts";

/** The index of a skillset, of its parts and of what it becomes by reloading. Loads its code on first use. */
export class SharedIndex {
  readonly #indexes = new Map<boolean, Promise<SkillIndex>>();

  async list(skills: readonly Skill[], body: boolean): Promise<RankIndex> {
    let index = this.#indexes.get(body);
    if (index === undefined) {
      index = import("./skill-index.ts").then(({ SkillIndex }) => new SkillIndex({ body }));
      this.#indexes.set(body, index);
    }
    return (await index).list(skills);
  }
}
