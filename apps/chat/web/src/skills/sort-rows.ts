import type { SkillRow } from "../../../shared/skills-api.ts";

/** The columns by which skills can be sorted: their headings, and the words for their orders. */
const COLUMNS = {
  name: { heading: "Skill", order: "By name" },
  state: { heading: "State", order: "By state" },
  activations: { heading: "Activated", order: "Most used" },
  source: { heading: "Source", order: "By source" },
} as const satisfies Partial<Record<keyof SkillRow, unknown>>;

export type SortColumn = keyof typeof COLUMNS;
type ColumnWords = (typeof COLUMNS)[SortColumn];
export const SORT_COLUMNS = Object.entries(COLUMNS) as readonly (readonly [SortColumn, ColumnWords])[];

export interface Sort {
  readonly column: SortColumn;
  readonly isDescending: boolean;
}

/** Equal rows keep their order. Numbers are compared as numbers, also in names. */
export function sortRows(rows: readonly SkillRow[], { column, isDescending }: Sort): readonly SkillRow[] {
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [a[column], b[column]];
    if (typeof left === "number" && typeof right === "number") return sign * (left - right);
    return sign * COLLATOR.compare(String(left), String(right));
  });
}

/** The order that a column has first: the skills that are used most, or the start of the alphabet. */
export function firstSort(column: SortColumn): Sort {
  return { column, isDescending: column === "activations" };
}

/** The order after a click on a column: its first one, or the opposite if the column is sorted already. */
export function nextSort({ column, isDescending }: Sort, chosen: SortColumn): Sort {
  return chosen === column ? { column, isDescending: !isDescending } : firstSort(chosen);
}

const COLLATOR = new Intl.Collator("en", { numeric: true });
