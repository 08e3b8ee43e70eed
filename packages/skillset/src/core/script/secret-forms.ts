/**
 * Returns the texts in which a value often appears: itself, its long parts, and the common encodings of each. A program
 * that hides a value on purpose can use others.
 */
export function secretForms(value: string): readonly string[] {
  return [...new Set([...new Set([value, ...partsOf(value)])].flatMap(encodingsOf))];
}

/** The lines of a value, and the texts in a value that is JSON: a program often prints only one of them. */
function partsOf(value: string): readonly string[] {
  const whole = [value, ...textsIn(parseJson(value))];
  const lines = whole.flatMap((text) => text.split(/\r?\n/)).map((line) => line.trim());
  return [...whole, ...lines].filter((part) => part.length >= SHORTEST_PART && !part.startsWith("-----"));
}

/** Shorter parts, such as the name of a field, are in many texts. */
const SHORTEST_PART = 20;

function encodingsOf(text: string): readonly string[] {
  const bytes = [...new TextEncoder().encode(text)];
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
  const json = JSON.stringify(text).slice(1, -1);
  const url = encodeURIComponent(text.toWellFormed());
  return [
    text,
    json,
    json.replace(/[^ -~]/g, escapeUnit),
    json.replace(/[<>&'"]/g, escapeUnit),
    units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join(""),
    text.replaceAll("'", "'\\''"),
    url,
    url.replaceAll("%20", "+"),
    url.replaceAll("%2F", "/"),
    hex.join(""),
    hex.map((byte) => `\\x${byte}`).join(""),
    hex.map((byte) => `0x${byte}`).join(""),
    bytes.join(" "),
    // As binary files are searched.
    bytes.map((byte) => String.fromCharCode(byte)).join(""),
    ...[0, 1, 2].map((offset) => base64At(offset, bytes)),
    [...text].reverse().join(""),
  ];
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The characters of base64 that depend on these bytes alone, with some bytes before them. */
function base64At(offset: number, bytes: readonly number[]): string {
  const all = [...Array<number>(offset).fill(0), ...bytes];
  const encoded = btoa(all.map((byte) => String.fromCharCode(byte)).join(""));
  return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor((all.length * 8) / 6));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
