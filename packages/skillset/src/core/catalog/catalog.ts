import { checkChoice } from "../base/check-choice.ts";
import { SkillError } from "../base/errors.ts";
import { DEFAULTS, NAMES } from "../base/limits.ts";
import type { Skill } from "../skill/skill.ts";
import type { OptionTable } from "../text/check-options.ts";
import { estimateTokens, type TokenCounter } from "../text/tokens.ts";
import { CATALOG_FORMATS, CATALOG_WRITERS, type CatalogFormat, type CatalogWriter } from "./catalog-format.ts";
import { type CatalogLocation, locationsOf } from "./catalog-location.ts";
import { CatalogRow, type Extent, NAME, OMITTED, type RowGroup } from "./catalog-row.ts";
import { fitCatalog } from "./fit-catalog.ts";

/** The properties of a skill that a catalog may show. Never its instructions. */
export type CatalogSkill = Pick<Skill, "name" | "description" | "origin" | "modelInvocable" | "basePath" | "provider">;

export interface CatalogOptions {
  /**
   * The format of the text.
   * @default "xml"
   */
  readonly format?: CatalogFormat;
  /**
   * Indents XML by two spaces per level.
   * @default true
   */
  readonly indent?: boolean;
  /**
   * Which location to show for each skill.
   * @default "none"
   */
  readonly location?: CatalogLocation;
  /**
   * The relative folder of `relative` locations.
   * @default "skills"
   */
  readonly mountPath?: string;
  /**
   * The maximum size of the text. `{ tokens: Infinity }` is no limit. The names of up to 200 skills are always listed.
   * @default { tokens: 8000 }
   */
  readonly budget?: CatalogBudget;
  /**
   * The names of skills that keep their description where the budget is short, the most important first.
   * @default []
   */
  readonly pins?: readonly string[];
  /**
   * How a model finds the skills that the text omits, such as "list the folder `skills`". It becomes part of the note.
   * @default the operation `search_skills` in a turn that has it, otherwise nothing
   */
  readonly findOthers?: string;
  /**
   * Counts the tokens of a text.
   * @default estimateTokens
   */
  readonly countTokens?: TokenCounter;
}

export const CATALOG_OPTIONS: OptionTable<CatalogOptions> = {
  format: true,
  indent: true,
  location: true,
  mountPath: true,
  budget: true,
  pins: true,
  findOthers: true,
  countTokens: true,
};

/** The maximum size of a catalog's text. Characters are UTF-16 units, as in `text.length`. */
export type CatalogBudget = { readonly tokens: number } | { readonly characters: number };

/** What a skillset sets for catalogs that say nothing else. */
export type CatalogDefaults = Pick<CatalogOptions, "budget" | "pins">;

export const DEFAULT_BUDGET: CatalogBudget = { tokens: DEFAULTS.catalogTokens };

export interface Catalog {
  /**
   * Empty if there are no skills to list. Exceeds the budget only if the names of up to 200 skills, or the note about
   * omitted ones, do not fit.
   */
  readonly text: string;
  readonly characters: number;
  readonly tokens: number;
  /** The number of skills in the text. */
  readonly shown: number;
  /** The skills with their whole description. */
  readonly full: readonly string[];
  /** The skills with a shortened description. */
  readonly shortened: readonly string[];
  /** The skills listed without their description. */
  readonly nameOnly: readonly string[];
  /** The skills that are not in the text. */
  readonly omitted: readonly string[];
}

/** How a catalog shows a skill. */
export type CatalogForm = {
  [Key in keyof Catalog]: Catalog[Key] extends readonly string[] ? Key : never;
}[keyof Catalog];
/** A form in which a skill loses something to the budget. */
export type CatalogLoss = Exclude<CatalogForm, "full">;

/** What only the library sets. */
export interface RenderOptions extends CatalogOptions {
  /** The skills that the conversation has used. They come after the pinned ones. */
  readonly used?: readonly string[];
}

/** Renders the skills that a model may activate, in the given order, for its prompt. Ignores unknown pins. */
export function renderCatalog(
  skills: Iterable<CatalogSkill>,
  {
    format = "xml",
    indent = true,
    location = "none",
    mountPath = NAMES.skillsFolder,
    budget = DEFAULT_BUDGET,
    pins = [],
    used = [],
    findOthers,
    countTokens = estimateTokens,
  }: RenderOptions = {},
): Catalog {
  checkChoice("format", format, CATALOG_FORMATS);
  const limit = limitOf(budget);
  const writer = CATALOG_WRITERS[format](indent);
  const locationOf = locationsOf(location, mountPath);
  const rows = Array.from(skills)
    .filter((skill) => skill.modelInvocable)
    .map((skill) => new CatalogRow(skill, writer, locationOf));
  if (rows.length === 0) return EMPTY;
  const count = rows.length;
  const omitted = count > DEFAULTS.listedNames ? count : 0;
  const extents = fitCatalog(
    rows,
    writer,
    {
      limit,
      measure: "tokens" in budget ? countTokens : (text) => text.length,
      favorites: indexesOf(rows, [...pins, ...used]),
      note: noteOn({ shown: count, omitted, shortened: count, nameOnly: count }, findOthers) ?? "",
    },
    (shown) => write(rows, writer, shown, findOthers).text,
  );
  const draft = write(rows, writer, extents, findOthers);
  return { ...draft, characters: draft.text.length, tokens: countTokens(draft.text) };
}

const EMPTY: Catalog = Object.freeze({
  text: "",
  characters: 0,
  tokens: 0,
  shown: 0,
  full: [],
  shortened: [],
  nameOnly: [],
  omitted: [],
});

/** Returns the limit of a budget, which must be valid. */
function limitOf(budget: CatalogBudget): number {
  if (typeof budget !== "object" || budget === null) {
    throw new SkillError(
      "option-invalid",
      `'budget' must be { tokens } or { characters }; got ${JSON.stringify(budget)}.`,
    );
  }
  const limit = "tokens" in budget ? budget.tokens : budget.characters;
  if (!(limit >= 0)) throw new SkillError("option-invalid", `A catalog's budget cannot be ${limit}.`);
  return limit;
}

function indexesOf(rows: readonly CatalogRow[], names: readonly string[]): readonly number[] {
  if (names.length === 0) return [];
  const indexes = new Map(rows.map(({ name }, index) => [name, index]));
  return [...new Set(names)].flatMap((name) => indexes.get(name) ?? []);
}

/** Writes this much of each row: skills with an entry in their order, then those that are only names, then the note. */
function write(
  rows: readonly CatalogRow[],
  writer: CatalogWriter,
  extents: readonly Extent[],
  findOthers: string | undefined,
): Omit<Catalog, "characters" | "tokens"> {
  const full: string[] = [];
  const shortened: string[] = [];
  const nameOnly: string[] = [];
  const omitted: string[] = [];
  const entries: string[] = [];
  const groups = new Map<string, RowGroup & { readonly names: string[] }>();
  for (const [index, row] of rows.entries()) {
    const extent = extents[index] ?? OMITTED;
    if (extent === OMITTED) {
      omitted.push(row.name);
      continue;
    }
    if (row.description.length <= extent) full.push(row.name);
    else (extent === NAME ? nameOnly : shortened).push(row.name);
    const { group } = row;
    if (extent !== NAME || group === undefined) {
      entries.push(row.entry(extent));
      continue;
    }
    const known = groups.get(group.key) ?? { ...group, names: [] };
    known.names.push(row.shownName);
    groups.set(group.key, known);
  }
  for (const { names, location, origin } of groups.values())
    entries.push(writer.group?.whole(names, location, origin) ?? "");
  const shown = rows.length - omitted.length;
  const counts = { shown, omitted: omitted.length, shortened: shortened.length, nameOnly: nameOnly.length };
  return { text: writer.whole(entries, noteOn(counts, findOthers)), shown, full, shortened, nameOnly, omitted };
}

type Counts = Readonly<Record<"shown" | CatalogLoss, number>>;

function noteOn({ shown, omitted, shortened, nameOnly }: Counts, findOthers: string | undefined): string | undefined {
  const more = shown > 0 ? "more " : "";
  const clauses = [
    omitted > 0 &&
      `${count(omitted, `${more}skill is`, `${more}skills are`)} not listed${findOthers ? `: ${findOthers}` : ""}`,
    shortened > 0 && `${count(shortened, "description is", "descriptions are")} shortened`,
    nameOnly > 0 && `${count(nameOnly, "skill is", "skills are")} listed by name only`,
  ].filter((clause) => clause !== false);
  return clauses.length === 0 ? undefined : `${clauses.join("; ")}.`;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
