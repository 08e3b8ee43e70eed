import { SkillError } from "../core/base/errors.ts";
import type { Problem } from "../core/base/problem.ts";
import type { CatalogBudget } from "../core/catalog/catalog.ts";
import type { Session } from "../core/session.ts";
import type { FileFolder } from "../core/skill/file-folders.ts";
import { toSkillMd } from "../core/skill/serialise.ts";
import { isStored, type Skill } from "../core/skill/skill.ts";
import type { Skillset } from "../core/skillset.ts";
import { type StrictSkills, strictSkillsOf } from "./strict-skills.ts";
import { type DiscoveredSkill, describeSkill } from "./views.ts";

export type SkillResourceType = FileFolder;

export interface SkillContextProviderOptions {
  /**
   * The maximum size of tier 1. Descriptions are shortened, then left out, with a note.
   * @default { tokens: 8000 }
   */
  readonly budget?: CatalogBudget;
}

/**
 * Provides the three tiers of disclosure under the names that agent harnesses use. Strict: skills that break a rule of
 * the standard are left out, and `problems` lists why. Returns null or an empty result for missing or unreadable content.
 * @example
 * ```ts
 * import { createSkillset } from "skillset";
 * import { SkillContextProvider } from "skillset/compat";
 *
 * const skillset = await createSkillset("./skills");
 * const provider = new SkillContextProvider(await skillset.session());
 * console.log(provider.getTier1Context());
 * console.log(await provider.getTier2Context("brew-tea"));
 * ```
 */
export class SkillContextProvider {
  readonly #session: Session;
  readonly #options: SkillContextProviderOptions;
  readonly #strict = new WeakMap<Skillset, StrictSkills>();

  constructor(session: Session, options: SkillContextProviderOptions = {}) {
    this.#session = session;
    this.#options = options;
  }

  /** Why skills of the session are left out. */
  get problems(): readonly Problem[] {
    return this.#strictly(this.#session.skillset).problems;
  }

  /** Returns tier 1: names, descriptions and locations. */
  getTier1Context(): string {
    const { skillset } = this.#strictly(this.#session.skillset);
    return skillset.catalog({ indent: false, location: "path", ...this.#options }).text;
  }

  /** Returns tier 2: the whole SKILL.md. Null if the skill is missing or unreadable, or the session's budget is spent. */
  async getTier2Context(skillName: string): Promise<string | null> {
    const skill = this.#find(skillName);
    if (skill === undefined) return null;
    return otherwise(null, async () => {
      await this.#session.activate(skillName, { by: "host" });
      if (isStored(skill)) return (await this.#session.files(skillName).read("SKILL.md")).content;
      return toSkillMd({ ...skill, body: await skill.instructions() });
    });
  }

  /** Returns tier 3: the files of one kind, as paths relative to the skill's folder. */
  async getTier3ResourceList(skillName: string, resourceType: SkillResourceType): Promise<string[]> {
    if (this.#find(skillName) === undefined) return [];
    return otherwise([], async () => {
      const files = await this.#session.files(skillName).list(resourceType);
      return files.filter(({ kind }) => kind === "file").map(({ path }) => path);
    });
  }

  /** Returns tier 3: the text of one file. Null if it cannot be read. */
  async getTier3Resource(skillName: string, resourcePath: string): Promise<string | null> {
    if (this.#find(skillName) === undefined) return null;
    return otherwise(null, async () => (await this.#session.files(skillName).read(resourcePath)).content);
  }

  getSkill(name: string): DiscoveredSkill | undefined {
    const skill = this.#find(name);
    return skill && describeSkill(skill);
  }

  getSkillNames(): string[] {
    return [...this.#strictly(this.#session.skillset).skillset.names];
  }

  #find(name: string): Skill | undefined {
    return this.#strictly(this.#session.skillset).skillset.get(name);
  }

  #strictly(skillset: Skillset): StrictSkills {
    const strict = this.#strict.get(skillset) ?? strictSkillsOf(skillset);
    this.#strict.set(skillset, strict);
    return strict;
  }
}

/** Rethrows a store's failure: the operator must see it, and it would otherwise look like a missing skill. */
async function otherwise<Value, Other>(other: Other, work: () => Promise<Value>): Promise<Value | Other> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SkillError && error.code !== "store-failed") return other;
    throw error;
  }
}
