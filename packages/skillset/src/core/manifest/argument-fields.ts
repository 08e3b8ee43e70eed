import { stripHiddenText } from "../text/hidden-text.ts";

/** Returns the names in `arguments`, which is a list or text with spaces. Leaves out what cannot be a placeholder. */
export function readArgumentNames(value: unknown): readonly string[] | undefined {
  if (typeof value !== "string" && !Array.isArray(value)) return undefined;
  const words = typeof value === "string" ? value.split(/\s+/) : value.map(toText);
  // A name that cannot be used still counts, so that the others keep their positions.
  const names = words.filter(Boolean).map((word) => (NAME.test(word) ? word : ""));
  return names.some(Boolean) ? Object.freeze(names) : undefined;
}

const NAME = /^(?!ARGUMENTS$)[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** Returns `argument-hint` as one line. Unquoted brackets, as in `[file]`, are a list in YAML. */
export function readArgumentHint(value: unknown): string | undefined {
  const text = Array.isArray(value) ? `[${value.map(toText).join(", ")}]` : value;
  if (typeof text !== "string") return undefined;
  const line = stripHiddenText(text).replace(/\s+/g, " ").trim().slice(0, LONGEST_HINT);
  return line === "" ? undefined : line;
}

const LONGEST_HINT = 200;

function toText(value: unknown): string {
  return typeof value === "object" ? "" : String(value);
}
