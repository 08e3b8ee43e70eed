import type { SkillRow, SkillState } from "../../../shared/skills-api.ts";
import { Icon } from "../ui/icon.tsx";
import { firstSort, SORT_COLUMNS, type Sort, type SortColumn } from "./sort-rows.ts";

export interface Filter {
  readonly text: string;
  readonly state: SkillState | "all";
}

interface SkillFilterProps {
  readonly filter: Filter;
  readonly rows: readonly SkillRow[];
  readonly onChange: (filter: Filter) => void;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

export function SkillFilter({ filter, rows, onChange, sort, onSort }: SkillFilterProps) {
  const states = [...new Set(rows.map(({ state }) => state))];
  return (
    <search className="skill-filter">
      <label className="search">
        <Icon name="search" />
        <span className="visually-hidden">Filter skills</span>
        <input
          type="search"
          placeholder="Filter by name or description"
          value={filter.text}
          onChange={(event) => onChange({ ...filter, text: event.target.value })}
        />
      </label>
      <label className="select">
        <span className="visually-hidden">State</span>
        <select
          value={filter.state}
          onChange={(event) => onChange({ ...filter, state: event.target.value as Filter["state"] })}
        >
          <option value="all">All states ({rows.length})</option>
          {states.map((state) => (
            <option key={state} value={state}>
              {state} ({rows.filter((row) => row.state === state).length})
            </option>
          ))}
        </select>
        <Icon name="expand" />
      </label>
      {/* On narrow screens, where the table has no header to click. */}
      <label className="select narrow-sort">
        <span className="visually-hidden">Sort by</span>
        <select value={sort.column} onChange={(event) => onSort(firstSort(event.target.value as SortColumn))}>
          {SORT_COLUMNS.map(([column, { order }]) => (
            <option key={column} value={column}>
              {order}
            </option>
          ))}
        </select>
        <Icon name="expand" />
      </label>
    </search>
  );
}

export function filterRows(rows: readonly SkillRow[], { text, state }: Filter): readonly SkillRow[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter(
    (row) =>
      (state === "all" || row.state === state) &&
      (row.name.toLowerCase().includes(wanted) || row.description.toLowerCase().includes(wanted)),
  );
}
