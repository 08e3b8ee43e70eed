import { DEFAULTS } from "../base/limits.ts";
import type { CatalogWriter } from "./catalog-format.ts";
import { type CatalogRow, type Extent, FULL, NAME, OMITTED } from "./catalog-row.ts";

/** What a catalog must fit. */
export interface FitOptions {
  readonly limit: number;
  /** Measures a text in the unit of the limit. */
  readonly measure: (text: string) => number;
  /** The rows that come first, in this order: what is pinned, and what the conversation has used. */
  readonly favorites: readonly number[];
  /** The longest note about what is left out. */
  readonly note: string;
}

/** Descriptions are cut at these lengths. A shorter one is too vague to choose a skill by. */
const SHORTEST: Extent = 60;
const LENGTHS: readonly Extent[] = [120, 240, FULL];
const FROM_FULL: readonly Extent[] = [...LENGTHS].reverse().concat(SHORTEST, NAME);

/** Where not every name fits, this share of the budget is for descriptions, and the rest for names. */
const DESCRIBED_SHARE = 3 / 4;

/** How often the sizes of the parts are corrected by the size of the whole. */
const ATTEMPTS = 4;

/** The sum of the parts may exceed the size of the whole: tokens are whole numbers. */
const OVERCOUNT = 1.5;

/**
 * Returns how much of each row fits. Counts each entry once and adds up, because counting the whole text for each
 * decision would take minutes for 50,000 skills.
 */
export function fitCatalog(
  rows: readonly CatalogRow[],
  writer: CatalogWriter,
  { limit, measure, favorites, note }: FitOptions,
  write: (extents: readonly Extent[]) => string,
): readonly Extent[] {
  const full = rows.map(() => FULL);
  if (limit === Number.POSITIVE_INFINITY) return full;
  const costs = new RowCosts(rows, writer, measure);
  const frame = measure(writer.whole([], note));
  if (costs.isWithin(limit * OVERCOUNT) && measure(write(full)) <= limit) return full;
  let best: readonly Extent[] | undefined;
  let target = limit;
  for (let attempt = 0; attempt < ATTEMPTS || best === undefined; attempt++) {
    const { extents, isLeast } = fill(rows, costs, { target, frame, favorites });
    const room = limit - measure(write(extents));
    if (room >= 0) best = extents;
    else if (isLeast || best !== undefined) return best ?? extents;
    if (room === 0) return extents;
    target += room > 0 ? room : Math.min(room, -1);
  }
  return best;
}

/** Shows as much of the rows as the target allows, by what the parts cost. */
function fill(
  rows: readonly CatalogRow[],
  costs: RowCosts,
  {
    target,
    frame,
    favorites,
  }: { readonly target: number; readonly frame: number; readonly favorites: readonly number[] },
): { readonly extents: readonly Extent[]; readonly isLeast: boolean } {
  const plan = new Plan(rows, costs, frame);
  const isFavorite = new Set(favorites);
  const others = rows.map((_, index) => index).filter((index) => !isFavorite.has(index));
  const areAllListed = rows.length <= DEFAULTS.listedNames;
  if (areAllListed) for (const index of rows.keys()) plan.raise(index, NAME, Number.POSITIVE_INFINITY);
  const least = plan.total;
  for (const index of favorites) FROM_FULL.some((extent) => plan.raise(index, extent, target));
  if (!areAllListed) {
    plan.raiseWhile(others, SHORTEST, plan.total + (target - plan.total) * DESCRIBED_SHARE);
    plan.raiseWhile(others, NAME, target);
  }
  const listed = others.filter((index) => plan.extents[index] !== OMITTED);
  plan.raiseWhile(listed, SHORTEST, target);
  const described = listed.filter((index) => plan.extents[index] !== NAME);
  for (const extent of LENGTHS) for (const index of described) plan.raise(index, extent, target);
  return { extents: plan.extents, isLeast: !(plan.total > least) };
}

/** How much of each row is shown so far, and what it costs. */
class Plan {
  readonly extents: Extent[];
  total: number;
  readonly #costs: RowCosts;
  readonly #rows: readonly CatalogRow[];
  readonly #groups = new Map<string, number>();

  constructor(rows: readonly CatalogRow[], costs: RowCosts, frame: number) {
    this.extents = rows.map(() => OMITTED);
    this.total = frame;
    this.#costs = costs;
    this.#rows = rows;
  }

  /** Shows more of a row if the total stays within the ceiling. */
  raise(index: number, extent: Extent, ceiling: number): boolean {
    const before = this.extents[index] ?? OMITTED;
    if (before >= extent) return true;
    const group = (this.#rows[index] as CatalogRow).group;
    const others = group === undefined ? 0 : (this.#groups.get(group.key) ?? 0) - (before === NAME ? 1 : 0);
    // The first name of a group also pays for the group.
    const [from, to] = [before, extent].map((one) => this.#costs.of(index, one, one === NAME && others === 0));
    const total = this.total + (to ?? 0) - (from ?? 0);
    // Also false for a tokenizer that returns NaN.
    if (!(total <= ceiling) && ceiling !== Number.POSITIVE_INFINITY) return false;
    if (group !== undefined) this.#groups.set(group.key, others + (extent === NAME ? 1 : 0));
    this.extents[index] = extent;
    this.total = total;
    return true;
  }

  /** Shows more of the rows, in order, up to the first one that does not fit. */
  raiseWhile(indexes: readonly number[], extent: Extent, ceiling: number): void {
    indexes.every((index) => this.raise(index, extent, ceiling));
  }
}

/** What the parts of a catalog cost. Each is measured once. */
class RowCosts {
  readonly #rows: readonly CatalogRow[];
  readonly #writer: CatalogWriter;
  readonly #measure: (text: string) => number;
  readonly #known = new Map<string, number>();

  constructor(rows: readonly CatalogRow[], writer: CatalogWriter, measure: (text: string) => number) {
    this.#rows = rows;
    this.#writer = writer;
    this.#measure = measure;
  }

  of(index: number, extent: Extent, opensGroup: boolean): number {
    if (extent === OMITTED) return 0;
    const row = this.#rows[index] as CatalogRow;
    const { group } = row;
    if (extent !== NAME || group === undefined) {
      // A description that is short anyway is the same text at each longer extent.
      const shown = extent >= row.description.length ? FULL : extent;
      const key = extent === NAME ? NAME : shown;
      return this.#once(`${index} ${key}`, () => row.entry(key) + this.#writer.separator);
    }
    const writer = this.#writer.group;
    const name = this.#once(`${index} name`, () => writer?.name(row.shownName) ?? "");
    if (!opensGroup) return name;
    const frame = () => (writer?.whole([], group.location, group.origin) ?? "") + this.#writer.separator;
    return name + this.#once(group.key, frame);
  }

  /** Whether all rows in full cost at most this much. Stops early. */
  isWithin(limit: number): boolean {
    let total = 0;
    return this.#rows.every((_, index) => {
      total += this.of(index, FULL, false);
      return total <= limit;
    });
  }

  #once(key: string, text: () => string): number {
    let cost = this.#known.get(key);
    if (cost === undefined) {
      cost = this.#measure(text());
      this.#known.set(key, cost);
    }
    return cost;
  }
}
