import { lazyRegExp } from "../base/lazy-regexp.ts";
import { LIMITS } from "../base/limits.ts";
import type { ProblemCode } from "../base/problem.ts";
import { stripHiddenText } from "../text/hidden-text.ts";
import { normalise } from "../text/normalise.ts";
import { type ManifestReport, type ReportOptions, shorten } from "./manifest-report.ts";
import { visible } from "./visible-field.ts";
import { isNull, isTyped, resolvePlain, type YamlEntry } from "./yaml-node.ts";

/** Returns the skill's name: from the frontmatter, or from the folder if the frontmatter's is unusable. */
export function checkName(entry: YamlEntry | undefined, report: ManifestReport): string | undefined {
  if (entry === undefined) return fallBack("name-missing", report.missing("name"), {}, report);
  const { value, at } = entry;
  if (value.kind !== "scalar") return fallBack("name-unusable", "'name' must be a string.", { at }, report);
  const typed = isTyped(value);
  if ((typed && isNull(value)) || value.text.trim() === "") {
    return fallBack("name-empty", "'name' is empty.", { at }, report);
  }
  if (typed) {
    const type = typeof resolvePlain(value.text);
    report.add("name-not-a-string", `'name' must be a string, but ${value.text} is a ${type}.`, {
      at,
      fix: `Write 'name: "${value.text}"'.`,
    });
  }
  const isPerfect = value.text.length <= LIMITS.hard.nameCharacters && PERFECT.test(value.text);
  const shown = isPerfect ? value.text : visible("name", value.text.trim(), at, report);
  const name = isAscii(shown) ? shown : normalise(shown, "NFKC");
  if (!isPerfect) {
    if (value.text !== value.text.trim())
      report.add("name-spaces", `The name '${shorten(name)}' has spaces or line breaks around it.`, {
        at,
        fix: `Write 'name: ${shorten(name)}'.`,
      });
    if (shown !== value.text.trim())
      report.add("name-characters", `The name '${shorten(name)}' has hidden characters.`, {
        at,
        fix: "Retype the name.",
      });
    if (!isUsable(name)) {
      return fallBack("name-unusable", `The name '${shorten(name)}' cannot be the name of a folder.`, { at }, report);
    }
    checkSpelling(name, at, report);
  }
  if (name.length > LIMITS.standard.name) {
    report.add(
      "name-too-long",
      `The name '${shorten(name)}' has ${name.length} characters. The maximum is ${LIMITS.standard.name}.`,
      { at, fix: "Choose a shorter name for the skill and its folder." },
    );
  }
  const { folder } = report.context;
  if (folder !== undefined && folder !== name && (isAscii(folder) || normalise(folder, "NFKC") !== name)) {
    report.add(
      "name-folder-mismatch",
      `The name '${shorten(name)}' must match the folder's name '${shorten(folder)}'.`,
      { at, fix: makeThemMatch(name, folder) },
    );
  }
  return name;
}

/** Returns the fix for a skill and its folder with different names. */
function makeThemMatch(name: string, folder: string): string {
  const suggested = suggestName(name);
  if (suggestName(folder) === folder)
    return suggested === name
      ? `Rename the folder to '${name}', or write 'name: ${folder}'.`
      : `Rename it to '${folder}'.`;
  if (suggested === name) return `Rename the folder to '${name}'.`;
  return `Write 'name: ${suggested}', and rename the folder to '${suggested}'.`;
}

const UNUSABLE = /[/\\\x00-\x1f\x7f-\x9f]/;
const ODD_CHARACTER = lazyRegExp(String.raw`[^\p{L}\p{M}\p{N}-]`);
const PERFECT = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

function checkSpelling(name: string, at: number, report: ManifestReport): void {
  const shown = `The name '${shorten(name)}'`;
  const { folder } = report.context;
  // A folder with a valid name decides, as it does for a name that differs from it.
  const isDecided = folder !== undefined && suggestName(folder) === folder;
  const rename = { at, fix: `Rename it to '${isDecided ? folder : suggestName(name)}'.` };
  if (name !== name.toLowerCase()) report.add("name-uppercase", `${shown} must be lowercase.`, rename);
  if (/^-|-$/.test(name)) report.add("name-edge-hyphen", `${shown} must not start or end with a hyphen.`, rename);
  if (name.includes("--")) report.add("name-double-hyphen", `${shown} must not have two hyphens in a row.`, rename);
  const ascii = isAscii(name);
  if (ascii ? /[^A-Za-z0-9-]/.test(name) : ODD_CHARACTER().test(name))
    report.add("name-characters", `${shown} may contain only letters, digits and hyphens.`, rename);
  if (!ascii) reportNotAscii(name, at, report);
}

function reportNotAscii(name: string, at: number | undefined, report: ManifestReport): void {
  const message = `The name '${shorten(name)}' has letters outside a-z. Not every agent accepts them.`;
  const fix = "Choose a name with only a-z, 0-9 and hyphens for the skill and its folder.";
  report.add("name-not-ascii", message, { at, fix });
}

/** Uses the folder's name instead. Without a folder, a skill without a name is rejected. */
function fallBack(
  code: ProblemCode,
  message: string,
  options: ReportOptions,
  report: ManifestReport,
): string | undefined {
  const { folder } = report.context;
  const fix = folder === undefined ? "Add 'name: my-skill'." : `Write 'name: ${suggestName(folder)}'.`;
  const name = folder && normalise(stripHiddenText(folder), "NFKC").trim();
  const isLost = name === undefined || !isUsable(name);
  report.add(code, message, { ...options, fix, fatal: isLost });
  if (isLost) return undefined;
  if (!isAscii(name)) reportNotAscii(name, options.at, report);
  return name;
}

function isUsable(name: string): boolean {
  return (
    name !== "" && name !== "." && name !== ".." && name.length <= LIMITS.hard.nameCharacters && !UNUSABLE.test(name)
  );
}

/** Returns the valid name that is closest to the given one. */
export function suggestName(name: string): string {
  if (PERFECT.test(name)) return name.slice(0, LIMITS.standard.name).replace(/-$/, "");
  const words = (isAscii(name) ? name : normalise(name, "NFKD").replace(/[\u0300-\u036f]/g, ""))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return words.slice(0, LIMITS.standard.name).replace(/-$/, "") || "my-skill";
}

/** Skips the Unicode tables for ordinary names. Their first use takes milliseconds. */
function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text);
}
