import { SkillError } from "../base/errors.ts";
import { NAMES } from "../base/limits.ts";
import { checkChoice } from "../manifest/policy.ts";
import type { Skill } from "../skill/skill.ts";
import { visibleText } from "../text/escape.ts";
import { stripHiddenText } from "../text/hidden-text.ts";
import { estimateTokens, type TokenCounter } from "../text/tokens.ts";
import { CATALOG_WRITERS, type CatalogFormat, type CatalogWriter } from "./catalog-format.ts";
import { type CatalogLocation, locationsOf } from "./catalog-location.ts";

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
  /** The maximum size of the text. Unlimited if omitted. */
  readonly budget?: CatalogBudget;
  /**
   * Counts the tokens of a text.
   * @default estimateTokens
   */
  readonly countTokens?: TokenCounter;
}

/** The maximum size of a catalog's text. Characters are UTF-16 units, as in `text.length`. */
export type CatalogBudget = { readonly tokens: number } | { readonly characters: number };

export interface Catalog {
  /** Empty if there are no skills to list. Exceeds the budget only if even the note about omitted skills does not fit. */
  readonly text: string;
  readonly characters: number;
  readonly tokens: number;
  /** The number of skills in the text. */
  readonly shown: number;
  /** The skills with a shortened description. */
  readonly shortened: readonly string[];
  /** The skills listed without their description. */
  readonly nameOnly: readonly string[];
  /** The skills that are not in the text. */
  readonly omitted: readonly string[];
}

/** Renders the skills that a model may activate, in the given order, for its prompt. */
export function renderCatalog(
  skills: Iterable<CatalogSkill>,
  {
    format = "xml",
    indent = true,
    location = "none",
    mountPath = NAMES.skillsFolder,
    budget,
    countTokens = estimateTokens,
  }: CatalogOptions = {},
): Catalog {
  checkChoice("format", format, ["xml", "json", "markdown", "names"]);
  if (budget !== undefined && (typeof budget !== "object" || budget === null)) {
    throw new SkillError(
      "option-invalid",
      `'budget' must be { tokens } or { characters }; got ${JSON.stringify(budget)}.`,
    );
  }
  const locationOf = locationsOf(location, mountPath);
  const rows = Array.from(skills)
    .filter((skill) => skill.modelInvocable)
    .map((skill) => ({
      name: skill.name,
      shownName: visibleText(skill.name),
      description: format === "names" ? "" : visibleText(skill.description),
      location: locationOf(skill),
      origin: skill.provider,
    }));
  const draft = draftWithin(budget, rows, CATALOG_WRITERS[format](indent), countTokens);
  return { ...draft, characters: draft.text.length, tokens: draft.text === "" ? 0 : countTokens(draft.text) };
}

interface Row {
  readonly name: string;
  readonly shownName: string;
  readonly description: string;
  readonly location: string | undefined;
  readonly origin: string | undefined;
}

type Draft = Omit<Catalog, "characters" | "tokens">;

/** How much of each row a draft shows. */
interface Extent {
  readonly listed: number;
  readonly described: number;
  readonly longest: number;
}

/** A shorter description is too vague to choose a skill by. */
const SHORTEST_DESCRIPTION = 40;

/** Returns the fullest draft within the budget. A draft costs a pass over all rows, so this uses binary search. */
function draftWithin(
  budget: CatalogBudget | undefined,
  rows: readonly Row[],
  writer: CatalogWriter,
  countTokens: TokenCounter,
): Draft {
  const fits = checkOf(budget, countTokens);
  const count = rows.length;
  const draftOf = (extent: Partial<Extent>) =>
    writeDraft(rows, writer, { listed: count, described: count, longest: SHORTEST_DESCRIPTION, ...extent });
  const full = draftOf({ longest: Number.POSITIVE_INFINITY });
  if (fits(full)) return full;
  const longest = rows.reduce((length, { description }) => Math.max(length, description.length), 0);
  return (
    largestFit(SHORTEST_DESCRIPTION, longest - 1, fits, (length) => draftOf({ longest: length })) ??
    largestFit(0, count - 1, fits, (described) => draftOf({ described })) ??
    largestFit(0, count - 1, fits, (listed) => draftOf({ described: 0, listed })) ??
    draftOf({ described: 0, listed: 0 })
  );
}

function checkOf(budget: CatalogBudget | undefined, countTokens: TokenCounter): (draft: Draft) => boolean {
  if (budget === undefined) return () => true;
  const limit = "tokens" in budget ? budget.tokens : budget.characters;
  if (!(limit >= 0)) throw new SkillError("option-invalid", `A catalog's budget cannot be ${limit}.`);
  return "tokens" in budget
    ? ({ text }) => text === "" || countTokens(text) <= limit
    : ({ text }) => text.length <= limit;
}

/** Returns the largest draft that fits. */
function largestFit(
  smallest: number,
  largest: number,
  fits: (draft: Draft) => boolean,
  draftOf: (size: number) => Draft,
): Draft | undefined {
  if (smallest > largest) return undefined;
  let best = draftOf(smallest);
  if (!fits(best)) return undefined;
  let [low, high] = [smallest, largest];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const draft = draftOf(middle);
    if (fits(draft)) [best, low] = [draft, middle];
    else high = middle - 1;
  }
  return best;
}

function writeDraft(rows: readonly Row[], writer: CatalogWriter, { listed, described, longest }: Extent): Draft {
  const entries: string[] = [];
  const shortened: string[] = [];
  const nameOnly: string[] = [];
  for (const row of rows.slice(0, listed)) {
    const isDescribed = entries.length < described;
    if (!isDescribed && row.description !== "") nameOnly.push(row.name);
    if (isDescribed && row.description.length > longest) shortened.push(row.name);
    const description = isDescribed ? shorten(row.description, longest) : undefined;
    entries.push(writer.entry(row.shownName, description, row.location, row.origin));
  }
  const omitted = rows.slice(listed).map(({ name }) => name);
  const note = noteOn(entries.length, omitted.length, shortened.length, nameOnly.length);
  const text = rows.length === 0 ? "" : writer.whole(entries, note);
  return { text, shown: entries.length, shortened, nameOnly, omitted };
}

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

function noteOn(shown: number, omitted: number, shortened: number, nameOnly: number): string | undefined {
  const more = shown > 0 ? "more " : "";
  const clauses = [
    omitted > 0 && `${count(omitted, `${more}skill is`, `${more}skills are`)} not listed`,
    shortened > 0 && `${count(shortened, "description is", "descriptions are")} shortened`,
    nameOnly > 0 && `${count(nameOnly, "skill is", "skills are")} listed by name only`,
  ].filter((clause) => clause !== false);
  return clauses.length === 0 ? undefined : `${clauses.join("; ")}.`;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
