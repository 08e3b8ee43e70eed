import { fromValue, type YamlEntry, type YamlNode } from "./yaml-node.ts";

/**
 * Reads the plain frontmatter that most skills have, faster than a YAML parser: scalars, simple
 * block scalars, nested mappings and lists of scalars. It gives up (undefined) on everything that
 * it is not sure of, and must never disagree with the YAML parser.
 */
export function parsePlainYaml(source: string): YamlNode | undefined {
  if (UNSURE.test(source)) return undefined;
  const lines = { text: source, at: 0 };
  const root = readMapping(lines, 0, 0);
  return root !== undefined && lines.at >= source.length ? root : undefined;
}

/** Tabs, carriage returns, controls, and the spaces and line breaks that only some parsers take for such. */
const UNSURE = /[\x00-\x09\x0b-\x1f\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\ufffe\uffff]/;
const KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;
/** Starts no flow collection, quote, block, comment, anchor, alias, tag, directive or list item. */
const PLAIN_START = /^[A-Za-z0-9(/._$+=;^\u00a1-\uffff]/;
const FLOW_ITEM = /^(?:[A-Za-z0-9](?:[A-Za-z0-9 ._/+()*-]|:[A-Za-z0-9*])*|"[^"\\]*"|'[^']*')$/;
const FLOW_TROUBLE = /[[\]{}]/;
const BLOCK = /^[|>]-?$/;
const MAX_DEPTH = 6;

/** A cursor that always stands at the start of a line. */
interface Lines {
  readonly text: string;
  at: number;
}

function readMapping(lines: Lines, indent: number, depth: number): YamlNode | undefined {
  const entries: YamlEntry[] = [];
  while (skipBlankLines(lines)) {
    const found = indentAt(lines);
    if (found < indent) break;
    if (found > indent) return undefined;
    const entry = readEntry(lines, lines.at + indent, indent, depth);
    if (entry === undefined || isGiven(entries, entry.key)) return undefined;
    entries.push(entry);
  }
  return entries.length === 0 ? undefined : { kind: "mapping", at: entries[0]?.at ?? 0, entries };
}

function readEntry(lines: Lines, at: number, indent: number, depth: number): YamlEntry | undefined {
  const { text } = lines;
  const end = lineEnd(lines);
  const colon = text.indexOf(":", at);
  if (colon === -1 || colon >= end) return undefined;
  const key = text.slice(at, colon);
  if (!KEY.test(key)) return undefined;
  let start = colon + 1;
  while (text[start] === " ") start++;
  if (start === colon + 1 && start < end) return undefined;
  lines.at = end + 1;
  const value = readValue(text.slice(start, end).trimEnd(), Math.min(start, end), lines, indent, depth);
  return value && { key, at, value };
}

function isGiven(entries: readonly YamlEntry[], key: string): boolean {
  for (const entry of entries) if (entry.key === key) return true;
  return false;
}

function readValue(rest: string, at: number, lines: Lines, indent: number, depth: number): YamlNode | undefined {
  if (rest === "") return readNested(lines, at, indent, depth);
  if (rest.length < 3 && BLOCK.test(rest)) return readBlock(rest, lines, indent);
  const value = readScalar(rest, at) ?? readFlowList(rest, at) ?? readJson(rest, at);
  if (value?.kind === "scalar" && value.plain) return continuePlain(value.text, at, lines, indent);
  return nextIndent(lines) > indent ? undefined : value;
}

/** An unquoted text, with the indented lines below that belong to it. */
function continuePlain(first: string, at: number, lines: Lines, indent: number): YamlNode | undefined {
  let text = first;
  while (lines.text[lines.at] === " " && indentAt(lines) > indent) {
    const line = takeLine(lines).trim();
    if (!isPlainText(line) || /^(?:[#?:-]|$)/.test(line)) return undefined;
    text += ` ${line}`;
  }
  return nextIndent(lines) > indent ? undefined : { kind: "scalar", at, text, plain: true };
}

function readScalar(rest: string, at: number): YamlNode | undefined {
  const quote = rest[0];
  if (quote === '"' || quote === "'") {
    if (rest.length < 2 || !rest.endsWith(quote)) return undefined;
    const inner = rest.slice(1, -1);
    if (quote === "'") return /^(?:[^']|'')*$/.test(inner) ? quoted(inner.replaceAll("''", "'"), at) : undefined;
    if (!inner.includes("\\")) return inner.includes('"') ? undefined : quoted(inner, at);
    return /^(?:[^"\\]|\\["\\])*$/.test(inner) ? quoted(inner.replace(/\\(.)/g, "$1"), at) : undefined;
  }
  return PLAIN_START.test(rest) && isPlainText(rest) ? { kind: "scalar", at, text: rest, plain: true } : undefined;
}

/** Whether nothing in an unquoted text ends it. */
function isPlainText(text: string): boolean {
  return !text.includes(": ") && !text.includes(" #") && !text.endsWith(":");
}

function quoted(text: string, at: number): YamlNode {
  return { kind: "scalar", at, text, plain: false };
}

function readFlowList(rest: string, at: number): YamlNode | undefined {
  if (rest[0] !== "[" || rest.at(-1) !== "]") return undefined;
  const inner = rest.slice(1, -1);
  if (FLOW_TROUBLE.test(inner)) return undefined;
  const items: YamlNode[] = [];
  for (const part of inner.trim() === "" ? [] : inner.split(",")) {
    const item = part.trim();
    const node = FLOW_ITEM.test(item) ? readScalar(item, at) : undefined;
    if (node === undefined) return undefined;
    items.push(node);
  }
  return { kind: "sequence", at, items };
}

/** A mapping written as JSON; only when writing it again gives the same, so that nothing in it is ambiguous. */
function readJson(rest: string, at: number): YamlNode | undefined {
  if (rest[0] !== "{" || rest.includes("\\")) return undefined;
  try {
    const value: unknown = JSON.parse(rest);
    if (isDeeper(value, MAX_DEPTH)) return undefined;
    if (JSON.stringify(value) !== rest.replace(/("[^"]*")|\s+/g, "$1")) return undefined;
    return fromValue(value, at);
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

function readNested(lines: Lines, at: number, indent: number, depth: number): YamlNode | undefined {
  if (!skipBlankLines(lines)) return { kind: "scalar", at, text: "", plain: true };
  const inner = indentAt(lines);
  if (inner >= indent && lines.text.startsWith("- ", lines.at + inner)) return readList(lines, inner);
  if (inner <= indent) return { kind: "scalar", at, text: "", plain: true };
  return depth < MAX_DEPTH ? readMapping(lines, inner, depth + 1) : undefined;
}

function readList(lines: Lines, indent: number): YamlNode | undefined {
  const at = lines.at + indent;
  const items: YamlNode[] = [];
  while (skipBlankLines(lines) && indentAt(lines) === indent && lines.text.startsWith("- ", lines.at + indent)) {
    const start = lines.at + indent + 2;
    const item = readScalar(
      takeLine(lines)
        .slice(indent + 2)
        .trim(),
      start,
    );
    if (item === undefined || nextIndent(lines) > indent) return undefined;
    items.push(item);
  }
  return { kind: "sequence", at, items };
}

function readBlock(header: string, lines: Lines, parent: number): YamlNode | undefined {
  const at = lines.at;
  const indent = indentAt(lines);
  if (indent <= parent) return undefined;
  const margin = " ".repeat(indent);
  const content: string[] = [];
  while (lines.at < lines.text.length && (lines.text[lines.at] === "\n" || indentAt(lines) > parent)) {
    const line = takeLine(lines);
    if (line !== "" && (!line.startsWith(margin) || line[indent] === " " || line.length === indent)) return undefined;
    content.push(line.slice(indent));
  }
  while (content.at(-1) === "") content.pop();
  const text =
    header[0] === "|" ? content.join("\n") : content.join("\n").replace(/\n(\n*)/g, (_, more) => more || " ");
  return quoted(header.endsWith("-") ? text : `${text}\n`, at);
}

function takeLine(lines: Lines): string {
  const end = lineEnd(lines);
  const line = lines.text.slice(lines.at, end);
  lines.at = end + 1;
  return line;
}

function lineEnd({ text, at }: Lines): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

/** Whether anything is left below the empty lines, and the comments that are not indented. */
function skipBlankLines(lines: Lines): boolean {
  for (let first = lines.text[lines.at]; first === "\n" || first === "#"; first = lines.text[lines.at])
    lines.at = lineEnd(lines) + 1;
  return lines.at < lines.text.length;
}

function indentAt({ text, at }: Lines): number {
  let position = at;
  while (text[position] === " ") position++;
  return position - at;
}

/** The indentation of the next line that is not empty. */
function nextIndent({ text, at }: Lines): number {
  let position = at;
  while (text[position] === "\n") position++;
  return indentAt({ text, at: position });
}
