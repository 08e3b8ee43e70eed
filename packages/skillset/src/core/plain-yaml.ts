import { fromValue, type YamlEntry, type YamlNode } from "./yaml-node.ts";

/**
 * Reads the frontmatter that nearly all skills have, faster than a YAML parser: texts on one line or several, blocks,
 * nested mappings, lists, and mappings written as JSON. It gives up (undefined) on everything that it is not sure of,
 * and must never disagree with the YAML parser.
 */
export function parsePlainYaml(source: string): YamlNode | undefined {
  if (UNSURE.test(source) || !source.isWellFormed()) return undefined;
  const lines = { text: source, at: 0 };
  const root = readMapping(lines, 0, 0);
  return root !== undefined && lines.at >= source.length ? root : undefined;
}

/** Tabs, carriage returns, controls, and the spaces and line breaks that only some parsers take for such. */
const UNSURE = /[\x00-\x09\x0b-\x1f\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\ufffe\uffff]/;
const FLOW_ITEM = /^(?:[A-Za-z0-9](?:[A-Za-z0-9 ._/+()*<=>|@~\u00a1-\uffff-]|:[A-Za-z0-9*])*|"[^"\\\n]*"|'[^'\n]*')$/;
const FLOW_TROUBLE = /[[\]{}]/;
const BLOCK = /^[|>]-?$/;
const MAX_DEPTH = 6;
/** The YAML parser does not compare every key with every other. */
const MAX_ENTRIES = 64;

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const COLON = 0x3a;
const HASH = 0x23;

// Tables instead of patterns: these are asked for every key and value, and running a pattern is dear when code is new.
const IN_KEY = tableOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");
/** Starts no flow collection, quote, block, comment, anchor, alias, tag, directive or list item. */
const STARTS_PLAIN = tableOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789(/._$+=;^<~");

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** A cursor that always stands at the start of a line. */
interface Lines {
  readonly text: string;
  at: number;
}

/** The entries from here on that have this indentation; the first one may start behind the `- ` of a list. */
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

/** A scalar or a flow collection that starts with this text, and may go on below it. */
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

/** Whether the value above has no more lines. */
function endsAbove({ text, at }: Lines, indent: number): boolean {
  return indentAt(text, skipLineFeeds(text, at)) <= indent;
}

/** An unquoted text, with the indented lines below that belong to it. */
function continuePlain(first: string, at: number, lines: Lines, indent: number): YamlNode | undefined {
  let text = first;
  while (lines.text.charCodeAt(lines.at) === SPACE && indentAt(lines.text, lines.at) > indent) {
    const line = takeLine(lines).trim();
    if (!isPlainText(line) || /^(?:[#?:-]|$)/.test(line)) return undefined;
    text += ` ${line}`;
  }
  return { kind: "scalar", at, text, plain: true };
}

/** A scalar on one line. */
function readScalar(rest: string, at: number): YamlNode | undefined {
  const first = rest[0];
  if (first === '"' || first === "'") return readQuoted(rest, at);
  return isPlain(rest) ? { kind: "scalar", at, text: rest, plain: true } : undefined;
}

function isPlain(text: string): boolean {
  const code = text.charCodeAt(0);
  return (code > 0xa0 || STARTS_PLAIN[code] === 1) && isPlainText(text);
}

/** Whether nothing in an unquoted text ends it. */
function isPlainText(text: string): boolean {
  return !text.includes(": ") && !text.includes(" #") && !text.endsWith(":");
}

function readQuoted(rest: string, at: number): YamlNode | undefined {
  const quote = rest[0];
  if (rest.length < 2 || !rest.endsWith(quote ?? "")) return undefined;
  const inner = rest.slice(1, -1);
  if (quote === "'") {
    if (!inner.includes("'")) return quoted(inner, at);
    return /^(?:[^']|'')*$/.test(inner) ? quoted(inner.replaceAll("''", "'"), at) : undefined;
  }
  if (!inner.includes("\\")) return inner.includes('"') ? undefined : quoted(inner, at);
  // What JSON reads on one line YAML reads alike.
  const text = parseJson(rest);
  return typeof text === "string" ? quoted(text, at) : undefined;
}

/** A quoted text over several lines: a line break is a space, and an empty line is a line break. */
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

function quoted(text: string, at: number): YamlNode {
  return { kind: "scalar", at, text, plain: false };
}

/** The text of a flow collection from here on, with the indented lines below that belong to it. */
function takeFlow(at: number, lines: Lines, indent: number): string {
  const { text } = lines;
  let next = skipLineFeeds(text, lines.at);
  while (indentAt(text, next) > indent) {
    lines.at = lineEnd(text, next) + 1;
    next = skipLineFeeds(text, lines.at);
  }
  return text.slice(at, lines.at).trimEnd();
}

function readFlowList(rest: string, at: number): YamlNode | undefined {
  if (!rest.endsWith("]")) return undefined;
  const inner = rest.slice(1, -1);
  if (FLOW_TROUBLE.test(inner)) return undefined;
  const items: YamlNode[] = [];
  const parts = inner.trim() === "" ? [] : inner.split(",");
  // The last item may have a comma too.
  if (parts.at(-1)?.trim() === "") parts.pop();
  for (const part of parts) {
    const item = part.trim();
    const node = FLOW_ITEM.test(item) ? readScalar(item, at) : undefined;
    if (node === undefined) return undefined;
    items.push(node);
  }
  return { kind: "sequence", at, items };
}

/**
 * A mapping written as JSON, save for commas behind last items; only when writing it again gives the same, so that
 * nothing in it is ambiguous.
 */
function readJson(rest: string, at: number): YamlNode | undefined {
  if (!rest.endsWith("}") || /[[{]\s*,/.test(rest)) return undefined;
  // A backslash before a quote could make this pattern try again from every quote.
  const strict = rest.includes("\\") ? rest : rest.replace(/("[^"]*")|,(?=\s*[\]}])/g, "$1");
  const value = parseJson(strict);
  if (typeof value !== "object" || value === null || isDeeper(value, MAX_DEPTH)) return undefined;
  if (JSON.stringify(value) !== strict.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1")) return undefined;
  const keys = keysIn(rest);
  const entries = Object.entries(value).map(([key, one], index) => {
    const place = at + (keys[index] ?? 0);
    return { key, at: place, value: fromValue(one, place) };
  });
  return { kind: "mapping", at, entries };
}

/** Where the keys of a JSON object stand, those of objects within it aside. */
function keysIn(json: string): number[] {
  const keys: number[] = [];
  let depth = 0;
  for (const { 0: token, 1: colon, index } of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[[\]{}]/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (colon !== undefined && depth === 1) keys.push(index + 1);
  }
  return keys;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

/** What stands below a key that has nothing beside it. */
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

/** Whether anything is left below the empty lines and the comments. */
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
