import { findHiddenText, stripHiddenText } from "../text/hidden-text.ts";
import type { ManifestReport } from "./manifest-report.ts";

/** Returns a field without its hidden characters. They are reported and never reach a model. */
export function visible(key: string, text: string, at: number, report: ManifestReport): string {
  const hidden = describeHidden(text);
  if (hidden === undefined) return text;
  report.add("hidden-text", `'${key}' has ${hidden}. They are removed from what models see.`, {
    at,
    fix: "Remove them.",
  });
  return stripHiddenText(text);
}

/** Reports hidden characters in a field without changing it. */
export function reportHidden(key: string, text: string, at: number, report: ManifestReport): void {
  const hidden = describeHidden(text);
  if (hidden !== undefined) report.add("hidden-text", `'${key}' has ${hidden}.`, { at, fix: "Remove them." });
}

/** Describes the hidden characters of a text, or returns undefined if it has none. */
export function describeHidden(text: string): string | undefined {
  const hidden = findHiddenText(text);
  if (hidden === undefined) return undefined;
  const point = `U+${hidden.codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  return `hidden characters (${point}, ${hidden.count} in all)`;
}
