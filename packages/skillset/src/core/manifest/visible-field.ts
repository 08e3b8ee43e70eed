import { findHiddenText, stripHiddenText } from "../text/hidden-text.ts";
import type { ManifestReport } from "./manifest-report.ts";

/** A field without the characters that people do not see: they are reported, and never reach a model. */
export function visible(key: string, text: string, at: number, report: ManifestReport): string {
  const hidden = describeHidden(text);
  if (hidden === undefined) return text;
  report.add("hidden-text", `'${key}' has ${hidden}; models are not shown them.`, { at, fix: "Remove them." });
  return stripHiddenText(text);
}

/** Reports the same for a field that is not altered. */
export function reportHidden(key: string, text: string, at: number, report: ManifestReport): void {
  const hidden = describeHidden(text);
  if (hidden !== undefined) report.add("hidden-text", `'${key}' has ${hidden}.`, { at, fix: "Remove them." });
}

/** The hidden characters of a text in words; undefined when it has none. */
export function describeHidden(text: string): string | undefined {
  const hidden = findHiddenText(text);
  if (hidden === undefined) return undefined;
  const point = `U+${hidden.codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  return `hidden characters (${point}, ${hidden.count} in all)`;
}
