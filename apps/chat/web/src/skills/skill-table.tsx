import { memo, useDeferredValue } from "react";
import type { SkillRow } from "../../../shared/skills-api.ts";
import { Link } from "../router/link.tsx";
import { skillPath } from "../router/route.ts";
import { Badge } from "../ui/badge.tsx";
import { countText } from "../ui/count-text.ts";
import { Icon } from "../ui/icon.tsx";
import { useNear } from "../ui/use-near.ts";
import { hasSwitch, SkillSwitch } from "./skill-switch.tsx";
import { SORT_COLUMNS, type Sort, type SortColumn } from "./sort-rows.ts";
import { STATE_TONES } from "./state-words.ts";

interface SkillTableProps {
  readonly rows: readonly SkillRow[];
  /** All rows are there at once, so that the page can scroll to one of them. */
  readonly startsWhole: boolean;
  readonly sort: Sort;
  readonly onSort: (column: SortColumn) => void;
  /** Set for admins only. */
  readonly onTurn: ((name: string, isEnabled: boolean) => void) | undefined;
}

/** A table; on narrow screens its rows have two lines. */
export function SkillTable({ rows: latest, startsWhole, sort, onSort, onTurn }: SkillTableProps) {
  // A long list is rendered between other tasks: keys in the filter and the first rows do not wait for it.
  const rows = useDeferredValue(latest, startsWhole ? latest : latest.slice(0, DRAWN_AT_ONCE));
  if (rows.length === 0) return <p className="hint">No matching skills</p>;
  return (
    <table className="skill-table">
      <caption className="visually-hidden">Skills</caption>
      <thead>
        <tr>
          {SORT_COLUMNS.map(([column, { heading }]) => (
            <th key={column} scope="col" aria-sort={orderOf(sort, column)}>
              <button type="button" className="sort" onClick={() => onSort(column)}>
                {heading}
                <Icon name="expand" />
              </button>
            </th>
          ))}
          {onTurn && <th scope="col">Enabled</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <Row
            key={`${row.name} ${row.source} ${row.path ?? ""} ${row.state}`}
            row={row}
            startsNear={index < DRAWN_AT_ONCE}
            onTurn={onTurn}
          />
        ))}
      </tbody>
    </table>
  );
}

function orderOf({ column, isDescending }: Sort, one: SortColumn): "ascending" | "descending" | undefined {
  if (column !== one) return undefined;
  return isDescending ? "descending" : "ascending";
}

/** The rows at the start that are drawn in full at once. */
const DRAWN_AT_ONCE = 30;

interface RowProps {
  readonly row: SkillRow;
  readonly startsNear: boolean;
  readonly onTurn: SkillTableProps["onTurn"];
}

const Row = memo(
  function Row({ row, startsNear, onTurn }: RowProps) {
    const [item, isNear] = useNear<HTMLTableRowElement>(startsNear);
    const isOwnRow = row.state !== "shadowed";
    return (
      <tr ref={item} data-item="" className={row.state}>
        <th scope="row">
          {isOwnRow ? <Link to={skillPath(row.name)}>{row.name}</Link> : row.name}
          {row.version && <span className="version">{row.version}</span>} <p>{row.description || row.reason}</p>
        </th>
        {isNear && <Cells row={row} onTurn={onTurn} />}
      </tr>
    );
  },
  // `startsNear` matters only once.
  (before, after) => before.row === after.row && before.onTurn === after.onTurn,
);

function Cells({ row, onTurn }: Omit<RowProps, "startsNear">) {
  return (
    <>
      <td data-label="State">
        <span>
          <Badge tone={STATE_TONES[row.state]}>{row.state}</Badge>
          {row.problems > 0 && <span className="hint"> · {countText(row.problems, "problem")}</span>}
        </span>
        {row.description && row.reason && <p className="reason">{row.reason}</p>}
        <Policy row={row} />
        <Invocation row={row} />
      </td>
      <td data-label="Activated">
        <span>
          {row.activations === 0 ? <span className="hint">never</span> : countText(row.activations, "time")}
          {row.chats > 0 && <span className="hint in-chats"> in {countText(row.chats, "chat")}</span>}
        </span>
      </td>
      <td data-label="Source">
        <span className="source" title={row.source}>
          {row.source}
        </span>
        {row.path && <p className="reason path">{row.path}</p>}
      </td>
      {onTurn && (
        <td data-label="Enabled">
          {hasSwitch(row) && <SkillSwitch name={row.name} isOn={row.state === "enabled"} onTurn={onTurn} />}
        </td>
      )}
    </>
  );
}

function Policy({ row }: { readonly row: SkillRow }) {
  if (row.tolerated) return <p className="reason">loaded leniently</p>;
  if (!row.loadsLeniently) return null;
  return (
    <p className="reason">
      <code>policy = "lenient"</code> would load it
    </p>
  );
}

function Invocation({ row }: { readonly row: SkillRow }) {
  if (row.state !== "enabled" || (row.isUserInvocable && row.isModelInvocable)) return null;
  return <p className="reason">{row.isUserInvocable ? "users only" : "models only"}</p>;
}
