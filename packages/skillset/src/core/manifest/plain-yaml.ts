import {
  isPlain,
  isPlainText,
  MAX_DEPTH,
  quoted,
  readFlowList,
  readJson,
  readQuoted,
  readScalar,
  tableOf,
} from "./plain-values.ts";
import type { YamlEntry, YamlNode } from "./yaml-node.ts";

/**
 * Parses the YAML that nearly all skills use, faster than a YAML parser: strings on one or more lines, blocks, nested
 * mappings, lists, and mappings written as JSON. Returns undefined for anything it is not sure of, and must never
 * disagree with the YAML parser.
 */
export function parsePlainYaml(source: string): YamlNode | undefined {
  if (UNSURE.test(source) || !source.isWellFormed()) return undefined;
  const lines = { text: source, at: 0 };
  const root = readMapping(lines, 0, 0);
  return root !== undefined && lines.at >= source.length ? root : undefined;
}

/** Tabs, carriage returns, control characters, and characters that only some parsers treat as spaces or line breaks. */
const UNSURE = /[\x00-\x09\x0b-\x1f\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\ufffe\uffff]/;
const BLOCK = /^[|>]-?$/;
/** Larger mappings are left to the YAML parser, which does not compare every key with every other. */
const MAX_ENTRIES = 64;

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const COLON = 0x3a;
const HASH = 0x23;

const IN_KEY = tableOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");

/** A cursor that is always at the start of a line. */
interface Lines {
  readonly text: string;
  at: number;
}

/** Reads the entries with this indentation. The first one may start after the `- ` of a list. */
function readMapping(lines: Lines, indent: number, depth: number, first = -1): YamlNode | undefined {
  const entries: YamlEntry[] = [];
  let at = first;
  while (at !== -1 || skipBlankLines(lines)) {
    if (at === -1) {
      const found = indentAt(lines.text, lines.at);
      if (found < indent) break;
      if (found > indent) return undefined;
      at = lines.at + indent;
    }
    const entry = readEntry(lines, at, indent, depth);
    if (entry === undefined || entries.length === MAX_ENTRIES || isGiven(entries, entry.key)) return undefined;
    entries.push(entry);
    at = -1;
  }
  return entries.length === 0 ? undefined : { kind: "mapping", at: entries[0]?.at ?? 0, entries };
}

function readEntry(lines: Lines, at: number, indent: number, depth: number): YamlEntry | undefined {
  const { text } = lines;
  let colon = at;
  while (IN_KEY[text.charCodeAt(colon)] === 1) colon++;
  if (colon === at || text.charCodeAt(colon) !== COLON || !startsKey(text.charCodeAt(at))) return undefined;
  const end = lineEnd(text, at);
  let start = colon + 1;
  while (text.charCodeAt(start) === SPACE) start++;
  if (start === colon + 1 && start < end) return undefined;
  lines.at = end + 1;
  const value = readValue(text.slice(start, end).trimEnd(), Math.min(start, end), lines, indent, depth);
  return value && { key: text.slice(at, colon), at, value };
}

/** A digit or a hyphen may start a number or a list. */
function startsKey(code: number): boolean {
  return code >= 0x41;
}

function isGiven(entries: readonly YamlEntry[], key: string): boolean {
  for (const entry of entries) if (entry.key === key) return true;
  return false;
}

function readValue(rest: string, at: number, lines: Lines, indent: number, depth: number): YamlNode | undefined {
  if (rest === "") return readNested(lines, at, indent, depth);
  if (rest.length < 3 && BLOCK.test(rest)) return readBlock(rest, lines, indent);
  return readOnLines(rest, at, lines, indent);
}

/** Reads a scalar or a flow collection that starts with this text and may continue on the lines below. */
function readOnLines(rest: string, at: number, lines: Lines, indent: number): YamlNode | undefined {
  switch (rest[0]) {
    case "'":
    case '"':
      return endsAbove(lines, indent) ? readQuoted(rest, at) : readQuotedLines(rest, at, lines, indent);
    case "[":
      return readFlowList(takeFlow(at, lines, indent), at);
    case "{":
      return readJson(takeFlow(at, lines, indent), at);
    default:
      return isPlain(rest) ? continuePlain(rest, at, lines, indent) : undefined;
  }
}

/** Whether the value ends on the line above. */
function endsAbove({ text, at }: Lines, indent: number): boolean {
  return indentAt(text, skipLineFeeds(text, at)) <= indent;
}

/** Reads an unquoted string with the indented lines that belong to it. */
function continuePlain(first: string, at: number, lines: Lines, indent: number): YamlNode | undefined {
  let text = first;
  while (lines.text.charCodeAt(lines.at) === SPACE && indentAt(lines.text, lines.at) > indent) {
    const line = takeLine(lines).trim();
    if (!isPlainText(line) || /^(?:[#?:-]|$)/.test(line)) return undefined;
    text += ` ${line}`;
  }
  return { kind: "scalar", at, text, plain: true };
}

/** Reads a quoted string on several lines. A line break becomes a space, and an empty line a line break. */
function readQuotedLines(first: string, at: number, lines: Lines, indent: number): YamlNode | undefined {
  const quote = first[0] ?? "";
  let text = first;
  let blank = 0;
  while (lines.at < lines.text.length) {
    const found = indentAt(lines.text, lines.at);
    const line = takeLine(lines).trim();
    if (line === "") {
      blank++;
      continue;
    }
    if (found <= indent) return undefined;
    text += `${blank === 0 ? " " : "\n".repeat(blank)}${line}`;
    blank = 0;
    if (line.endsWith(quote)) return readQuoted(text, at);
  }
  return undefined;
}

/** Returns the text of a flow collection, with the indented lines that belong to it. */
function takeFlow(at: number, lines: Lines, indent: number): string {
  const { text } = lines;
  let next = skipLineFeeds(text, lines.at);
  while (indentAt(text, next) > indent) {
    lines.at = lineEnd(text, next) + 1;
    next = skipLineFeeds(text, lines.at);
  }
  return text.slice(at, lines.at).trimEnd();
}

/** Reads the value below a key that has no value on its own line. */
function readNested(lines: Lines, at: number, indent: number, depth: number): YamlNode | undefined {
  if (!skipBlankLines(lines)) return { kind: "scalar", at, text: "", plain: true };
  const { text } = lines;
  const inner = indentAt(text, lines.at);
  const start = lines.at + inner;
  if (inner >= indent && text.startsWith("- ", start)) return readList(lines, inner, depth);
  if (inner <= indent) return { kind: "scalar", at, text: "", plain: true };
  const end = lineEnd(text, start);
  const line = text.slice(start, end).trimEnd();
  if (line[0] === "{" || line[0] === "[" || isPlain(line)) {
    lines.at = end + 1;
    return readOnLines(line, start, lines, indent);
  }
  return depth < MAX_DEPTH ? readMapping(lines, inner, depth + 1) : undefined;
}

function readList(lines: Lines, indent: number, depth: number): YamlNode | undefined {
  const { text } = lines;
  const at = lines.at + indent;
  const items: YamlNode[] = [];
  while (skipBlankLines(lines) && indentAt(text, lines.at) === indent && text.startsWith("- ", lines.at + indent)) {
    const start = lines.at + indent + 2;
    const end = lineEnd(text, start);
    let item = readScalar(text.slice(start, end).trim(), start);
    if (item !== undefined) lines.at = end + 1;
    else if (depth < MAX_DEPTH) item = readMapping(lines, indent + 2, depth + 1, start);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return { kind: "sequence", at, items };
}

function readBlock(header: string, lines: Lines, parent: number): YamlNode | undefined {
  const { text } = lines;
  const at = lines.at;
  const indent = indentAt(text, at);
  if (indent <= parent) return undefined;
  const folds = header[0] === ">";
  let content = "";
  let breaks = 0;
  while (lines.at < text.length) {
    const found = indentAt(text, lines.at);
    const start = lines.at + found;
    const isBlank = start === text.length || text.charCodeAt(start) === LINE_FEED;
    if (!isBlank && found <= parent) break;
    if (isBlank ? found > indent : found !== indent) return undefined;
    lines.at = lineEnd(text, start) + 1;
    if (isBlank) {
      breaks++;
      continue;
    }
    if (content !== "") content += folds ? (breaks === 0 ? " " : "\n".repeat(breaks)) : "\n".repeat(breaks + 1);
    else if (breaks > 0) return undefined;
    content += text.slice(start, lines.at - 1);
    breaks = 0;
  }
  if (content === "") return undefined;
  return quoted(header.endsWith("-") ? content : `${content}\n`, at);
}

function takeLine(lines: Lines): string {
  const end = lineEnd(lines.text, lines.at);
  const line = lines.text.slice(lines.at, end);
  lines.at = end + 1;
  return line;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function skipLineFeeds(text: string, at: number): number {
  let position = at;
  while (text.charCodeAt(position) === LINE_FEED) position++;
  return position;
}

/** Skips empty lines and comments. Returns whether any line is left. */
function skipBlankLines(lines: Lines): boolean {
  const { text } = lines;
  while (lines.at < text.length) {
    const start = lines.at + indentAt(text, lines.at);
    const first = text.charCodeAt(start);
    if (first !== LINE_FEED && first !== HASH && start < text.length) return true;
    lines.at = lineEnd(text, start) + 1;
  }
  return false;
}

function indentAt(text: string, at: number): number {
  let position = at;
  while (text.charCodeAt(position) === SPACE) position++;
  return position - at;
}
