import { findHiddenText, stripHiddenText } from "./hidden-text.ts";
import type { ManifestReport } from "./manifest-report.ts";

/** A field without the characters that people do not see: they are reported, and never reach a model. */
export function visible(key: string, text: string, at: number, report: ManifestReport): string {
  const hidden = findHiddenText(text);
  if (hidden === undefined) return text;
  const point = `U+${hidden.codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  report.add(
    "hidden-text",
    `'${key}' has hidden characters (${point}, ${hidden.count} in all); models are not shown them.`,
    { at, fix: "Remove them." },
  );
  return stripHiddenText(text);
}
