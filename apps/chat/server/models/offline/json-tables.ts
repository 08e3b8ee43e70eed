import { prose } from "./markdown.ts";

const MOST_ROWS = 20;
const MOST_COLUMNS = 8;

/** A JSON object in Markdown: its simple fields as a line, and its lists of objects as tables. Undefined for other texts. */
export function jsonTables(text: string): string | undefined {
  const value = parse(text);
  if (!isObject(value)) return undefined;
  const fields = Object.entries(value);
  const tables = fields.flatMap(([name, list]) => (isTable(list) ? [`${label(name)}:\n\n${tableOf(list)}`] : []));
  if (tables.length === 0) return undefined;
  const simple = fields.filter(([, one]) => !isTable(one) && !isEmpty(one));
  const line = simple.map(([name, one]) => `${label(name)}: ${cell(one)}`).join(" · ");
  return [line, ...tables].filter((part) => part !== "").join("\n\n");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTable(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** The columns that most rows have come first. */
function tableOf(rows: readonly Fields[]): string {
  const counts = new Map<string, number>();
  for (const name of rows.flatMap((row) => Object.keys(row))) counts.set(name, (counts.get(name) ?? 0) + 1);
  const columns = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_COLUMNS)
    .map(([name]) => name);
  const lines = rows.slice(0, MOST_ROWS).map((row) => columns.map((name) => cell(row[name])));
  const left = rows.length - lines.length;
  const table = [columns.map((name) => label(name)), columns.map(() => "---"), ...lines];
  const text = table.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return left > 0 ? `${text}\n\n(${left} more rows)` : text;
}

function label(name: string): string {
  return prose(name, 40);
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return prose(value.slice(0, 3).map(plain).join(", "), 60);
  return prose(plain(value), 60);
}

/** An object as its first two values, such as a frequent value and its count. */
function plain(value: unknown): string {
  if (!isObject(value)) return String(value);
  const [first, second] = Object.values(value);
  return second === undefined ? String(first) : `${String(first)} (${String(second)})`;
}
