export interface Cell {
  readonly key: number;
  readonly text: string;
}

export interface Rows {
  readonly header: readonly Cell[];
  readonly lines: readonly { readonly key: number; readonly cells: readonly Cell[] }[];
  /** The number of rows that are not in `lines`. */
  readonly left: number;
}

/** The start of a table. A CSV file may also be separated by semicolons. Quoted cells may contain line breaks. */
export function readRows(text: string, given: "," | "\t"): Rows {
  const first = text.slice(0, text.search(/\n|$/));
  const delimiter = given === "," && first.split(";").length > first.split(",").length ? ";" : given;
  const [header = [], ...rest] = parse(text, delimiter);
  const lines = rest.slice(0, MOST_ROWS).map((cells, key) => ({ key, cells: toCells(cells) }));
  return { header: toCells(header), lines, left: rest.length - lines.length };
}

const MOST_ROWS = 50;
const MOST_COLUMNS = 30;

function toCells(texts: readonly string[]): readonly Cell[] {
  return texts.slice(0, MOST_COLUMNS).map((text, key) => ({ key, text: text.slice(0, 200) }));
}

function parse(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      let end = at;
      do end = text.indexOf('"', end + 1);
      while (end !== -1 && text[end + 1] === '"' && ++end);
      const close = end === -1 ? text.length : end;
      cell = text.slice(at + 1, close).replaceAll('""', '"');
      at = close + 1;
    }
    const end = endOfCell(text, at, delimiter);
    row.push(cell + text.slice(at, end).replace(/\r$/, ""));
    at = end + 1;
    if (text[end] === delimiter) continue;
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

function endOfCell(text: string, from: number, delimiter: string): number {
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n") end++;
  return end;
}
