import { createPlainObject } from "../base/plain-object.ts";

/**
 * A YAML value with its position. `at` is an offset into the source.
 * A `plain` scalar is unquoted, so it may be a number, a boolean or null.
 */
export type YamlNode =
  | { readonly kind: "scalar"; readonly at: number; readonly text: string; readonly plain: boolean }
  | { readonly kind: "sequence"; readonly at: number; readonly items: YamlNode[] }
  | { readonly kind: "mapping"; readonly at: number; readonly entries: YamlEntry[] };

export interface YamlEntry {
  readonly key: string;
  readonly at: number;
  readonly value: YamlNode;
}

export type YamlScalar = Extract<YamlNode, { kind: "scalar" }>;

export function isScalar(node: YamlNode): node is YamlScalar {
  return node.kind === "scalar";
}

/** Whether an unquoted scalar has a value other than its text. */
export function isTyped(node: YamlScalar): boolean {
  return node.plain && typeof resolvePlain(node.text) !== "string";
}

export function isNull(node: YamlScalar): boolean {
  return node.plain && resolvePlain(node.text) === null;
}

/** Converts a node to its value under YAML's core schema. Objects have no prototype and are frozen. */
export function toValue(node: YamlNode): unknown {
  switch (node.kind) {
    case "scalar":
      return node.plain ? resolvePlain(node.text) : node.text;
    case "sequence":
      return Object.freeze(node.items.map(toValue));
    case "mapping": {
      const object = createPlainObject<unknown>();
      for (const { key, value } of node.entries) object[key] ??= toValue(value);
      return Object.freeze(object);
    }
  }
}

/** Converts a JavaScript value to a node, so that the same rules check both. */
export function fromValue(value: unknown, at = 0): YamlNode {
  if (typeof value === "string") return { kind: "scalar", at, text: value, plain: false };
  if (Array.isArray(value)) return { kind: "sequence", at, items: value.map((item) => fromValue(item, at)) };
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    return { kind: "mapping", at, entries: fields.map(([key, field]) => ({ key, at, value: fromValue(field, at) })) };
  }
  return { kind: "scalar", at, text: value === null || value === undefined ? "null" : String(value), plain: true };
}

/** Returns the value of an unquoted scalar under YAML's core schema. */
export function resolvePlain(text: string): string | number | boolean | null {
  if (!STARTS_TYPED.includes(text.charAt(0)) || !LOOKS_TYPED.test(text)) return text;
  if (/^(?:~|null|Null|NULL|)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^[-+]?[0-9]+$/.test(text)) return Number(text);
  if (/^0o[0-7]+$/.test(text) || /^0x[0-9a-fA-F]+$/.test(text)) return Number(text);
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) return Number(text);
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  if (/^\.(?:nan|NaN|NAN)$/.test(text)) return Number.NaN;
  return text;
}

/** First characters of texts that may have a typed value. The empty text matches too. */
const STARTS_TYPED = "~nNtTfF+-.0123456789";
/** A single test that skips ordinary words. */
const LOOKS_TYPED = /^(?:~?|null|Null|NULL|true|True|TRUE|false|False|FALSE|[-+]?\.?[0-9][^ ]*|[-+]?\.[a-zA-Z]{3})$/;
