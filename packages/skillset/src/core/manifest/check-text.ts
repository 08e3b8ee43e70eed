import { LIMITS } from "../base/limits.ts";
import type { ProblemCode } from "../base/problem.ts";
import { type ManifestReport, shorten } from "./manifest-report.ts";
import { reportHidden, visible } from "./visible-field.ts";
import { isNull, isScalar, isTyped, toValue, type YamlEntry, type YamlNode } from "./yaml-node.ts";

const DESCRIBE = "Describe in one or two sentences what the skill does and when to use it.";

export function checkDescription(entry: YamlEntry | undefined, report: ManifestReport): string | undefined {
  if (entry === undefined) {
    report.add("description-missing", report.missing("description"), { fix: DESCRIBE });
    return undefined;
  }
  const { value, at } = entry;
  if (value.kind === "mapping" || (value.kind === "sequence" && !value.items.every(isScalar))) {
    report.add("description-missing", "'description' must be a string.", { at, fix: DESCRIBE });
    return undefined;
  }
  const text =
    value.kind === "scalar"
      ? value.text
      : value.items.map((item) => (isScalar(item) && !isNull(item) ? item.text : "")).join(", ");
  const typed = value.kind === "scalar" && isTyped(value);
  const shown = typed && isNull(value) ? "" : visible("description", text, at, report).trim();
  if (shown === "") {
    report.add("description-empty", "'description' is empty.", { at, fix: DESCRIBE });
    return undefined;
  }
  if (value.kind === "sequence" || typed) {
    report.add("description-not-a-string", "'description' must be a string.", { at, fix: writeAsText(entry) });
  }
  if (text.length > LIMITS.standard.description) {
    const message = `The description has ${text.length} characters. The maximum is ${LIMITS.standard.description}.`;
    report.add("description-too-long", message, {
      at,
      fix: "Keep what the skill does and when to use it, and move the rest into the body.",
    });
  }
  return shown;
}

export function checkCompatibility(entry: YamlEntry | undefined, report: ManifestReport): string | undefined {
  const text = checkText(entry, "compatibility-not-a-string", report);
  if (entry === undefined || text === undefined) return undefined;
  const { at } = entry;
  reportHidden("compatibility", text, at, report);
  if (text.trim() === "")
    report.add("compatibility-empty", "'compatibility' is empty.", {
      at,
      fix: "Remove the field, or describe what the skill requires.",
    });
  if (text.length > LIMITS.standard.compatibility) {
    report.add(
      "compatibility-too-long",
      `'compatibility' has ${text.length} characters. The maximum is ${LIMITS.standard.compatibility}.`,
      { at, fix: "Keep the skill's requirements, and move the rest into the body." },
    );
  }
  return text;
}

/** Checks a field that must be a string. A number or a list is converted to one and reported. */
export function checkText(entry: YamlEntry | undefined, code: ProblemCode, report: ManifestReport): string | undefined {
  if (entry === undefined) return undefined;
  const { key, value, at } = entry;
  if (value.kind === "scalar" && !isTyped(value)) return value.text;
  report.add(code, `'${key}' must be a string.`, { at, fix: writeAsText(entry) });
  if (value.kind === "scalar") return isNull(value) ? undefined : value.text;
  return JSON.stringify(toValue(value));
}

/** Returns the fix for a value that is not a string. */
function writeAsText({ key, value }: YamlEntry): string {
  const text = textIn(value);
  if (text === "") return `Write a string after '${shorten(key)}:', or remove the field.`;
  return text === undefined || text.length > LONGEST_EXAMPLE
    ? "Write it as one quoted string."
    : `Write '${shorten(key)}: ${JSON.stringify(text)}'.`;
}

const LONGEST_EXAMPLE = 200;

/** Converts a list or mapping of strings to one string. Returns undefined for anything more complex. */
function textIn(value: YamlNode): string | undefined {
  if (value.kind === "scalar") return isNull(value) ? "" : value.text;
  const parts =
    value.kind === "sequence"
      ? value.items.map((item) => (isScalar(item) ? item.text : undefined))
      : value.entries.map((entry) => (isScalar(entry.value) ? `${entry.key}: ${entry.value.text}` : undefined));
  return parts.includes(undefined) ? undefined : parts.join(", ");
}
