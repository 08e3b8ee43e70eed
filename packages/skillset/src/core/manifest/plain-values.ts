import { fromValue, type YamlNode } from "./yaml-node.ts";

/** Reads a scalar on one line. */
export function readScalar(rest: string, at: number): YamlNode | undefined {
  const first = rest[0];
  if (first === '"' || first === "'") return readQuoted(rest, at);
  return isPlain(rest) ? { kind: "scalar", at, text: rest, plain: true } : undefined;
}

/** Whether a text is an unquoted scalar. */
export function isPlain(text: string): boolean {
  const code = text.charCodeAt(0);
  return (code > 0xa0 || STARTS_PLAIN[code] === 1) && isPlainText(text);
}

/** Whether an unquoted text contains nothing that would end it. */
export function isPlainText(text: string): boolean {
  return !text.includes(": ") && !text.includes(" #") && !text.endsWith(":");
}

export function readQuoted(rest: string, at: number): YamlNode | undefined {
  const quote = rest[0];
  if (rest.length < 2 || !rest.endsWith(quote ?? "")) return undefined;
  const inner = rest.slice(1, -1);
  if (quote === "'") {
    if (!inner.includes("'")) return quoted(inner, at);
    return /^(?:[^']|'')*$/.test(inner) ? quoted(inner.replaceAll("''", "'"), at) : undefined;
  }
  if (!inner.includes("\\")) return inner.includes('"') ? undefined : quoted(inner, at);
  // YAML reads a one-line JSON string the same way.
  const text = parseJson(rest);
  return typeof text === "string" ? quoted(text, at) : undefined;
}

export function quoted(text: string, at: number): YamlNode {
  return { kind: "scalar", at, text, plain: false };
}

/** Reads a list of scalars in brackets. */
export function readFlowList(rest: string, at: number): YamlNode | undefined {
  if (!rest.endsWith("]")) return undefined;
  const inner = rest.slice(1, -1);
  if (FLOW_TROUBLE.test(inner)) return undefined;
  const items: YamlNode[] = [];
  const parts = inner.trim() === "" ? [] : inner.split(",");
  // A trailing comma is allowed.
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
 * Reads a mapping written as JSON, with optional trailing commas. Accepts it only if serializing it again returns the
 * same text, so that nothing in it is ambiguous.
 */
export function readJson(rest: string, at: number): YamlNode | undefined {
  if (!rest.endsWith("}") || /[[{]\s*,/.test(rest)) return undefined;
  // With a backslash before a quote, this pattern could backtrack from every quote.
  const strict = rest.includes("\\") ? rest : rest.replace(/("[^"]*")|,(?=\s*[\]}])/g, "$1");
  const value = parseJson(strict);
  if (typeof value !== "object" || value === null || isDeeper(value, MAX_DEPTH)) return undefined;
  if (JSON.stringify(value) !== strict.replace(/("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|\s+/g, "$1")) return undefined;
  const keys = keysIn(rest);
  const entries = Object.entries(value).map(([key, one], index) => {
    const place = at + (keys[index] ?? 0);
    return { key, at: place, value: fromValue(one, place) };
  });
  return { kind: "mapping", at, entries };
}

/** Returns the offsets of a JSON object's keys, without those of nested objects. */
function keysIn(json: string): number[] {
  const keys: number[] = [];
  let depth = 0;
  for (const { 0: token, 1: colon, index } of json.matchAll(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)(\s*:)?|[[\]{}]/g)) {
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

/** How deep collections may be nested. Deeper ones are left to the YAML parser. */
export const MAX_DEPTH = 6;

const FLOW_ITEM = /^(?:[A-Za-z0-9](?:[A-Za-z0-9 ._/+()*<=>|@~\u00a1-\uffff-]|:[A-Za-z0-9*])*|"[^"\\\n]*"|'[^'\n]*')$/;
const FLOW_TROUBLE = /[[\]{}]/;

/** Starts no flow collection, quote, block, comment, anchor, alias, tag, directive or list item. */
const STARTS_PLAIN = tableOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789(/._$+=;^<~");

/** Builds a lookup table by character code. Faster than a pattern for checks of every key and value. */
export function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
