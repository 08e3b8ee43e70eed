import { type CatalogOptions, renderCatalog } from "../core/catalog.ts";
import type { Session } from "../core/session.ts";
import { activeLine } from "../core/session-rules.ts";
import type { Skill } from "../core/skill.ts";

export interface TellOptions {
  readonly catalog: CatalogOptions;
  /** How to use skills; told with the first of them. */
  readonly rules: string;
  /** Active skills whose instructions are no longer those that the agent was given. */
  readonly outdated: readonly string[];
}

/** What an agent was last told of skills in a conversation, so that each prompt says only what has changed since. */
export class ToldSkills {
  /** The skills that it knows of, with the descriptions that it was given. */
  readonly #listed = new Map<string, string>();
  #hasRules = false;
  #active = "";
  #outdated = "";

  /** The sections that a prompt begins with. They count as told from now on. */
  tell(session: Session, { catalog, rules, outdated }: TellOptions): string[] {
    const { skillset, active } = session;
    const gone = [...this.#listed.keys()].filter((name) => !skillset.has(name));
    for (const name of gone) this.#listed.delete(name);
    const added = skillset.skills.filter((skill) => skill.modelInvocable && this.#isNew(skill));
    for (const { name, description } of added) this.#listed.set(name, description);
    const sections = [
      ...(added.length === 0 ? [] : this.#list(added, session, catalog, rules)),
      gone.length === 0 ? "" : `These skills are gone: ${gone.join(", ")}.`,
      this.#activeSection(active),
      this.#outdatedSection(outdated),
    ];
    return sections.filter((section) => section !== "");
  }

  #isNew({ name, description }: Skill): boolean {
    return this.#listed.get(name) !== description;
  }

  /** The first listing has the rules with it, whichever prompt it is in. */
  #list(added: readonly Skill[], session: Session, catalog: CatalogOptions, rules: string): string[] {
    if (this.#hasRules) return [`These skills are new:\n${renderCatalog(added, catalog).text}`];
    this.#hasRules = true;
    return [session.catalog(catalog, session.skillset).text, rules];
  }

  #activeSection(active: readonly string[]): string {
    // A skill that a person invoked may not be in the catalog, and still has to be reported when it is gone.
    for (const name of active) if (!this.#listed.has(name)) this.#listed.set(name, "");
    const line = active.length === 0 ? "" : activeLine(active);
    const isTold = line === this.#active;
    this.#active = line;
    return isTold ? "" : line;
  }

  #outdatedSection(names: readonly string[]): string {
    const line =
      names.length === 0
        ? ""
        : `The instructions of these skills have changed: ${names.join(", ")}. Activate them again before you use them.`;
    const isTold = line === this.#outdated;
    this.#outdated = line;
    return isTold ? "" : line;
  }
}
