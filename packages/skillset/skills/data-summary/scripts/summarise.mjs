#!/usr/bin/env node
// Prints a summary of a CSV, TSV, JSON or JSON Lines file as JSON. Needs only Node.
import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { parseArgs } from "node:util";

const USAGE = "Usage: node summarise.mjs <file.csv|tsv|json|jsonl> [--delimiter ';'|tab] [--top 5]";
const MAX_BYTES = 256 * 1024 * 1024;
const MISSING = /^(?:|na|n\/a|nan|null|none)$/i;
/** No leading zeros: `00184` is a code. */
const NUMBER = /^[-+]?(?:0|[1-9]\d*|(?=\.\d))(?:\.\d+)?(?:e[-+]?\d+)?$/i;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:?\d{2})?)?$/;

try {
  process.stdout.write(`${JSON.stringify(summarise(readArguments()), null, 2)}\n`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function readArguments() {
  const options = { delimiter: { type: "string" }, top: { type: "string", default: "5" } };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const top = Number(values.top);
  if (positionals.length !== 1 || !Number.isInteger(top) || top < 0) throw new Error(USAGE);
  const delimiter = values.delimiter === "tab" ? "\t" : values.delimiter;
  if (delimiter !== undefined && delimiter.length !== 1)
    throw new Error(`The delimiter must be one character. ${USAGE}`);
  return { path: positionals[0], delimiter, top };
}

function summarise({ path, delimiter, top }) {
  const warnings = [];
  const text = readText(path, warnings);
  const { rows, names, ...how } = isJson(path, text) ? readJson(text) : readCsv(text, delimiter, path, warnings);
  const seen = new Set(rows.map((row) => JSON.stringify([...row])));
  return {
    file: basename(path),
    ...how,
    rows: rows.length,
    duplicateRows: rows.length - seen.size,
    columns: names.map((name) => describeColumn(name, rows, top)),
    warnings,
  };
}

function readText(path, warnings) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new Error(`'${path}' is not a file.`);
  if (stats.size > MAX_BYTES)
    throw new Error(`'${path}' has ${stats.size} bytes; at most ${MAX_BYTES} can be read. Take a part of it.`);
  const bytes = readFileSync(path);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    warnings.push("the file is not UTF-8; it was read as Windows-1252");
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function isJson(path, text) {
  const extension = extname(path).toLowerCase();
  if ([".json", ".jsonl", ".ndjson"].includes(extension)) return true;
  return ![".csv", ".tsv"].includes(extension) && /^\s*[[{]/.test(text);
}

function readJson(text) {
  const { format, records } = parseRecords(text);
  const rows = records.map((record) => flatten(record));
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  return { format, rows, names };
}

function parseRecords(text) {
  try {
    return { format: "json", records: findRecords(JSON.parse(text)) };
  } catch (error) {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
    try {
      if (lines.length > 1) return { format: "jsonl", records: lines.map((line) => JSON.parse(line)) };
    } catch {
      // The file matches neither format; the first error is the more helpful one.
    }
    throw new Error(`The file is not valid JSON: ${error.message}`);
  }
}

/** Returns a list, or the only list in an object such as `{ "data": [...] }`; any other value is a single record. */
function findRecords(value) {
  if (Array.isArray(value)) return value;
  const lists = Object.values(value ?? {}).filter((field) => Array.isArray(field) && field.some(isObject));
  return lists.length === 1 ? lists[0] : [value];
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function flatten(record, prefix = "", row = new Map()) {
  if (!isObject(record)) return row.set(prefix || "value", record);
  for (const [key, value] of Object.entries(record)) flatten(value, prefix ? `${prefix}.${key}` : key, row);
  return row;
}

function readCsv(text, given, path, warnings) {
  const delimiter = given ?? guessDelimiter(text, path);
  const [header, ...lines] = parseCsv(text, delimiter);
  if (header === undefined) throw new Error("The file is empty.");
  const names = nameColumns(header.cells);
  const ragged = lines.filter(({ cells }) => cells.length !== names.length);
  for (const { line, cells } of ragged.slice(0, 10)) {
    warnings.push(`line ${line} has ${cells.length} cells; the header has ${names.length}`);
  }
  if (ragged.length > 10) warnings.push(`${ragged.length - 10} more lines have too many or too few cells`);
  const rows = lines.map(({ cells }) => new Map(names.map((name, index) => [name, cells[index]?.trim()])));
  return { format: delimiter === "\t" ? "tsv" : "csv", delimiter, rows, names };
}

/** Returns the most frequent separator in the header, outside quotes. */
function guessDelimiter(text, path) {
  if (extname(path).toLowerCase() === ".tsv") return "\t";
  const header = text.slice(0, text.search(/[\r\n]|$/)).replace(/"[^"]*"/g, "");
  const count = (delimiter) => header.split(delimiter).length;
  return [",", ";", "\t", "|"].reduce((best, next) => (count(next) > count(best) ? next : best));
}

/** Returns rows of cells, each with its first line; quoted cells may contain separators and line breaks. */
function parseCsv(text, delimiter) {
  const rows = [];
  let line = 1;
  let row = { line, cells: [] };
  let at = 0;
  while (at < text.length) {
    const { cell, end } = text[at] === '"' ? readQuoted(text, at, delimiter, row.line) : readPlain(text, at, delimiter);
    line += countBreaks(text, at, end);
    row.cells.push(cell);
    at = end + 1;
    if (text[end] === delimiter) {
      if (at === text.length) row.cells.push("");
      continue;
    }
    if (text[end] === "\r" && text[at] === "\n") at++;
    if (row.cells.length > 1 || row.cells[0] !== "") rows.push(row);
    row = { line: ++line, cells: [] };
  }
  if (row.cells.length > 0) rows.push(row);
  return rows;
}

function readPlain(text, start, delimiter) {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end++;
  return { cell: text.slice(start, end), end };
}

function readQuoted(text, start, delimiter, line) {
  let close = start;
  do {
    close = text.indexOf('"', close + 1);
    if (close === -1) throw new Error(`A quote in the row at line ${line} is never closed.`);
    if (text[close + 1] !== '"') break;
    close++;
  } while (close < text.length);
  const { cell: rest, end } = readPlain(text, close + 1, delimiter);
  return { cell: text.slice(start + 1, close).replaceAll('""', '"') + rest, end };
}

function countBreaks(text, start, end) {
  return text.slice(start, end).match(/\r\n|\r|\n/g)?.length ?? 0;
}

function nameColumns(cells) {
  const used = new Map();
  return cells.map((cell, index) => {
    const name = cell.trim() || `column ${index + 1}`;
    const times = (used.get(name) ?? 0) + 1;
    used.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
}

function describeColumn(name, rows, top) {
  const byType = new Map();
  const counts = new Map();
  let missing = 0;
  for (const row of rows) {
    const value = row.get(name);
    const type = typeOf(value);
    if (type === undefined) {
      missing++;
      continue;
    }
    if (!byType.has(type)) byType.set(type, []);
    byType.get(type).push(value);
    const shown = typeof value === "string" ? value : JSON.stringify(value);
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  const types = [...byType].sort(([, a], [, b]) => b.length - a.length);
  const [[type, values] = ["empty", []], ...others] = types;
  const common = { name, type: others.length > 0 ? "mixed" : type, missing, distinct: counts.size };
  if (others.length > 0) {
    const unusual = [...new Set(others.flatMap(([, odd]) => odd.slice(0, top)))].slice(0, top);
    const sizes = Object.fromEntries(types.map(([kind, found]) => [kind, found.length]));
    return { ...common, types: sizes, unusual, top: frequent(counts, top) };
  }
  if (type === "number") return { ...common, ...describeNumbers(values.map(Number)) };
  if (type === "date") return { ...common, ...describeDates(values) };
  if (type === "text") return { ...common, ...describeLengths(values), top: frequent(counts, top) };
  if (type === "list") return { ...common, ...describeLengths(values) };
  return type === "empty" ? common : { ...common, top: frequent(counts, top) };
}

function typeOf(value) {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" || typeof value === "boolean") return typeof value;
  if (Array.isArray(value)) return "list";
  if (MISSING.test(value)) return undefined;
  if (NUMBER.test(value)) return "number";
  if (/^(?:true|false)$/i.test(value)) return "boolean";
  return DATE.test(value) && !Number.isNaN(Date.parse(value)) ? "date" : "text";
}

function describeNumbers(numbers) {
  const sorted = Float64Array.from(numbers).sort();
  const mean = sorted.reduce((sum, number) => sum + number, 0) / sorted.length;
  const variance = sorted.reduce((sum, number) => sum + (number - mean) ** 2, 0) / Math.max(sorted.length - 1, 1);
  return {
    min: sorted[0],
    p25: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    p75: quantile(sorted, 0.75),
    max: sorted.at(-1),
    mean: round(mean),
    standardDeviation: round(Math.sqrt(variance)),
  };
}

function quantile(sorted, share) {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  return round(below + (sorted[Math.ceil(position)] - below) * (position % 1));
}

/** Sums of decimals have rounding noise in the last digits. */
function round(number) {
  return Number(number.toPrecision(10));
}

function describeDates(dates) {
  const sorted = dates.toSorted((a, b) => Date.parse(a) - Date.parse(b));
  return { min: sorted[0], max: sorted.at(-1) };
}

function describeLengths(values) {
  const lengths = values.map(({ length }) => length);
  const pick = (choose) => lengths.reduce((found, length) => choose(found, length));
  return { shortest: pick((a, b) => Math.min(a, b)), longest: pick((a, b) => Math.max(a, b)) };
}

function frequent(counts, top) {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, top)
    .map(([value, count]) => ({ value: value.length > 80 ? `${value.slice(0, 79)}…` : value, count }));
}
