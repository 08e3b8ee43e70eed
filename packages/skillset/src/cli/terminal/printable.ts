import { relative, sep } from "node:path";
import { escapeUnits } from "../../core/text/escape.ts";
import { stripHiddenText } from "../../core/text/hidden-text.ts";
import type { Io } from "./io.ts";

/** The text on one line, without characters that could control a terminal. Names, paths and messages are untrusted. */
export function printable(text: string): string {
  return /[^ -~]/.test(text) ? stripHiddenText(text.replace(/[\t\n\r]+/g, " ")) : text;
}

/** A text of several lines, without characters that could control or deceive a terminal. */
export function printableLines(text: string): string {
  return text.replace(/(?![\t\n\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, "");
}

/** A value as JSON. Characters that could control or deceive a terminal are escaped, so the value stays the same. */
export function printableJson(value: unknown, indent?: number): string {
  return escapeJson(JSON.stringify(value, null, indent));
}

/** JSON without characters that could control or deceive a terminal, on one line or several. */
export function escapeJson(json: string): string {
  // Nearly all values are ASCII. Measuring their bytes is ten times faster than searching them.
  if (Buffer.byteLength(json) === json.length && !json.includes("\x7F")) return json;
  return json.replace(UNUSUAL_IN_JSON, (unusual) => unusual.replace(UNSAFE_IN_JSON, escapeUnits));
}

/** Characters outside a few ranges that have none to escape. Most texts have few of them, and finding them is fast. */
const UNUSUAL_IN_JSON = /[^\n -~\xA1-\xAC\xAE-\u034E\u2010-\u2027\u2030-\u205E\u2190-\u3163\u3165-\uD7FF]+/g;
/** Line ends are part of the JSON layout; those in strings are escaped already. */
const UNSAFE_IN_JSON = /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu;

/** The text cut to a width, with a mark at the cut. */
export function clip(text: string, width: number, mark = "…"): string {
  if (text.length <= width) return text;
  const end = Math.max(width - mark.length, 1);
  const last = text.charCodeAt(end - 1);
  const cutsPair = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, cutsPair ? end - 1 : end).trimEnd()}${mark}`;
}

/** A path relative to the working directory if it is inside; absolute otherwise. */
export function shownPath(path: string, { cwd }: Pick<Io, "cwd">): string {
  const inside = path === cwd || path.startsWith(cwd.endsWith(sep) ? cwd : cwd + sep);
  return printable(inside ? relative(cwd, path) || "." : path);
}

/** A command line that can be pasted into a shell. */
export function shownCommand(...words: readonly string[]): string {
  return words.map((word) => (/^[\w./~@:=-]+$/.test(word) ? word : `"${printable(word)}"`)).join(" ");
}

/** `1 skill`, `1,200 skills`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** A number with thousands separators. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
