import { SkillError } from "./errors.ts";
import { toSkillMd } from "./serialise.ts";
import type { Session } from "./session.ts";
import { isStored, type VirtualSkill } from "./skill.ts";
import { type DiscoveredSkill, toDiscoveredSkill } from "./views.ts";

export type SkillResourceType = "scripts" | "references" | "assets";

/** The three tiers of disclosure under the names that agent harnesses use. What does not exist is null or empty. */
export class SkillContextProvider {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Tier 1: names, descriptions and locations. */
  getTier1Context(): string {
    return this.#session.skillset.catalog({ indent: false, location: "path" }).text;
  }

  /** Tier 2: the whole SKILL.md; null for an unknown skill. */
  async getTier2Context(skillName: string): Promise<string | null> {
    const skill = this.#session.skillset.get(skillName);
    if (skill === undefined) return null;
    await this.#session.activate(skillName, { by: "host" });
    if (!isStored(skill)) return toSkillMd(skill as VirtualSkill);
    return (await this.#session.read(skillName, "SKILL.md")).content;
  }

  /** Tier 3: the files of one kind, as paths from the skill's folder. */
  async getTier3ResourceList(skillName: string, resourceType: SkillResourceType): Promise<string[]> {
    if (!this.#session.skillset.has(skillName)) return [];
    const files = await this.#session.list(skillName, resourceType);
    return files.filter(({ kind }) => kind === "file").map(({ path }) => path);
  }

  /** Tier 3: the text of one file; null when it cannot be had. */
  async getTier3Resource(skillName: string, resourcePath: string): Promise<string | null> {
    try {
      return (await this.#session.read(skillName, resourcePath)).content;
    } catch (error) {
      if (error instanceof SkillError) return null;
      throw error;
    }
  }

  getSkill(name: string): DiscoveredSkill | undefined {
    const skill = this.#session.skillset.get(name);
    return skill !== undefined && isStored(skill) ? toDiscoveredSkill(skill) : undefined;
  }

  getSkillNames(): string[] {
    return [...this.#session.skillset.names];
  }
}
