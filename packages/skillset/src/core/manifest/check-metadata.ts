import { createPlainObject } from "../base/plain-object.ts";
import { type ManifestReport, shorten } from "./manifest-report.ts";
import { checkRequirement } from "./requirements.ts";
import { isTyped, toValue, type YamlEntry } from "./yaml-node.ts";

export const NO_METADATA = Object.freeze(createPlainObject<string>());

/** Returns the metadata as strings. Reports values that are not, and malformed requirements. */
export function checkMetadata(entry: YamlEntry | undefined, report: ManifestReport): Readonly<Record<string, string>> {
  if (entry === undefined) return NO_METADATA;
  if (entry.value.kind !== "mapping") {
    report.add("metadata-not-a-mapping", "'metadata' must be a mapping of names to strings.", {
      at: entry.at,
      fix: "Write 'metadata:', and below it lines such as '  author: \"Ada\"'.",
    });
    return NO_METADATA;
  }
  const metadata = createPlainObject<string>();
  for (const { key, at, value } of entry.value.entries) {
    if (value.kind !== "scalar" || isTyped(value)) {
      const fix =
        value.kind === "scalar"
          ? `Write '${shorten(key)}: "${shorten(value.text)}"'.`
          : "Write it as one quoted string.";
      report.add("metadata-value-not-a-string", `The metadata value of '${shorten(key)}' must be a string.`, {
        at,
        fix,
      });
    }
    const text = value.kind === "scalar" ? value.text : JSON.stringify(toValue(value));
    if (metadata[key] === undefined) checkRequirement(key, text, at, report);
    metadata[key] ??= text;
  }
  return Object.freeze(metadata);
}
