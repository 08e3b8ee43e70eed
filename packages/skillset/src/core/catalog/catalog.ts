import { SkillError } from "../base/errors.ts";
import { NAMES } from "../base/limits.ts";
import { checkChoice } from "../manifest/policy.ts";
import type { Skill } from "../skill/skill.ts";
import { visibleText } from "../text/escape.ts";
import { stripHiddenText } from "../text/hidden-text.ts";
import { estimateTokens, type TokenCounter } from "../text/tokens.ts";
import { CATALOG_WRITERS, type CatalogFormat, type CatalogWriter } from "./catalog-format.ts";
import { type CatalogLocation, locationsOf } from "./catalog-location.ts";

/** What a catalog shows of a skill: never its instructions. */
export type CatalogSkill = Pick<Skill, "name" | "description" | "origin" | "modelInvocable" | "basePath" | "provider">;

export interface CatalogOptions {
  readonly format?: CatalogFormat;
  /** Whether XML is indented by two spaces a level. */
  readonly indent?: boolean;
  readonly location?: CatalogLocation;
  /** The relative folder that `relative` locations are under. */
  readonly mountPath?: string;
  readonly budget?: CatalogBudget;
  readonly countTokens?: TokenCounter;
}

/** The most that the text may take; characters are UTF-16 units, as in `text.length`. */
export type CatalogBudget = { readonly tokens: number } | { readonly characters: number };

export interface Catalog {
  /** Empty when there is nothing to list. Beyond the budget only when not even the note on what is missing fits it. */
  readonly text: string;
  readonly characters: number;
  readonly tokens: number;
  /** How many skills the text names. */
  readonly shown: number;
  /** The skills whose description was cut. */
  readonly shortened: readonly string[];
  /** The skills that lost their description. */
  readonly nameOnly: readonly string[];
  /** The skills that are not in the text. */
  readonly omitted: readonly string[];
}

/** Lists the skills that a model may activate, in the given order, for its prompt. */
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

/** How much of the rows a draft shows. */
interface Extent {
  readonly listed: number;
  readonly described: number;
  readonly longest: number;
}

/** Shorter than this a description says too little to choose by. */
const SHORTEST_DESCRIPTION = 40;

/** The fullest draft within the budget. Each one tried costs a pass over all rows, so they are found by halving. */
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

/** The draft for the largest size that was tried and fits. */
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

/** How far back from the cut a word may end. */
const WORD_REACH = 12;

function shorten(description: string, longest: number): string {
  if (description.length <= longest) return description;
  const end = longest - 1;
  const space = description.lastIndexOf(" ", end);
  const kept = description.slice(0, space >= end - WORD_REACH ? space : end);
  // A cut through an emoji leaves half a surrogate pair or a joiner at the end, which is hidden text.
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
