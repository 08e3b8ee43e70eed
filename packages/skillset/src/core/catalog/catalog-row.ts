import { visibleText } from "../text/escape.ts";
import { stripHiddenText } from "../text/hidden-text.ts";
import type { CatalogSkill } from "./catalog.ts";
import type { CatalogWriter } from "./catalog-format.ts";

/** How much of a skill a catalog shows: nothing, its name, or this many characters of its description. */
export type Extent = number;
export const OMITTED: Extent = -1;
export const NAME: Extent = 0;
export const FULL: Extent = Number.POSITIVE_INFINITY;

/** One skill of a catalog. Texts are made when they are needed: most of ten thousand skills are never shown. */
export class CatalogRow {
  readonly name: string;
  readonly #skill: CatalogSkill;
  readonly #writer: CatalogWriter;
  readonly #locationOf: (skill: CatalogSkill) => string | undefined;
  #texts: RowTexts | undefined;

  constructor(skill: CatalogSkill, writer: CatalogWriter, locationOf: (skill: CatalogSkill) => string | undefined) {
    this.name = skill.name;
    this.#skill = skill;
    this.#writer = writer;
    this.#locationOf = locationOf;
  }

  get description(): string {
    return this.#shown.description;
  }

  get shownName(): string {
    return this.#shown.name;
  }

  /** The group of a skill that is listed by name. Undefined if it needs an entry. */
  get group(): RowGroup | undefined {
    return this.#shown.group;
  }

  /** The entry with at most this many characters of the description. */
  entry(extent: Extent): string {
    const { name, description, location, origin } = this.#shown;
    return this.#writer.entry(name, extent === NAME ? undefined : shorten(description, extent), location, origin);
  }

  get #shown(): RowTexts {
    this.#texts ??= this.#toTexts();
    return this.#texts;
  }

  #toTexts(): RowTexts {
    const skill = this.#skill;
    const name = visibleText(skill.name);
    const location = this.#locationOf(skill);
    const origin = skill.provider;
    const pattern = location === undefined ? undefined : patternOf(location, name);
    const isGrouped =
      this.#writer.group?.accepts(name) === true && (location === undefined) === (pattern === undefined);
    return {
      name,
      description: this.#writer.hasDescriptions === false ? "" : visibleText(skill.description),
      location,
      origin,
      group: isGrouped ? { key: `${pattern ?? ""}\0${origin ?? ""}`, location: pattern, origin } : undefined,
    };
  }
}

interface RowTexts {
  readonly name: string;
  readonly description: string;
  readonly location: string | undefined;
  readonly origin: string | undefined;
  readonly group: RowGroup | undefined;
}

/** What skills in one group have in common. */
export interface RowGroup {
  readonly key: string;
  readonly location: string | undefined;
  readonly origin: string | undefined;
}

/** Replaces the folder that is named after the skill by a placeholder. Undefined if there is none. */
function patternOf(location: string, name: string): string | undefined {
  const segments = location.split("/");
  const at = segments.lastIndexOf(name);
  return at === -1 || location.includes(PLACEHOLDER) ? undefined : segments.with(at, PLACEHOLDER).join("/");
}

const PLACEHOLDER = "{name}";

/** How far back from the cut to look for the end of a word. */
const WORD_REACH = 12;

export function shorten(description: string, longest: number): string {
  if (description.length <= longest) return description;
  const end = longest - 1;
  const space = description.lastIndexOf(" ", end);
  const kept = description.slice(0, space >= end - WORD_REACH ? space : end);
  // A cut through an emoji leaves half a surrogate pair or a joiner at the end, which counts as hidden text.
  return `${stripHiddenText(kept).trimEnd()}…`;
}
