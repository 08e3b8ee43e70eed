import { type ManifestReport, shorten } from "./manifest-report.ts";
import { isNull, isScalar, isTyped, type YamlEntry } from "./yaml-node.ts";

/**
 * Returns the tools in `allowed-tools`. Also accepts lists and commas, which many authors write. For any other value,
 * returns a token that covers nothing.
 */
export function checkAllowedTools(entry: YamlEntry | undefined, report: ManifestReport): readonly string[] {
  if (entry === undefined) return NONE;
  const { value, at } = entry;
  if (value.kind === "sequence" && value.items.every(isScalar)) {
    if (value.items.filter(isScalar).some(isTyped)) {
      const fix = "Put each tool in quotes.";
      report.add("allowed-tools-not-a-string", "Each tool in 'allowed-tools' must be a string.", { at, fix });
    }
    report.add(
      "allowed-tools-list",
      "'allowed-tools' is a list. The standard requires a string with spaces between the tools.",
      { at, fix: `Write 'allowed-tools: ${shorten(value.items.map(({ text }) => text.trim()).join(" "))}'.` },
    );
    return Object.freeze(value.items.map(({ text }) => text.trim()));
  }
  if (value.kind !== "scalar" || isTyped(value)) {
    const isEmpty = value.kind === "scalar" && isNull(value);
    report.add("allowed-tools-not-a-string", "'allowed-tools' must be a string with spaces between the tools.", {
      at,
      fix: isEmpty
        ? "Remove the field, or write the tools as one string."
        : "Write the tools on one line, such as 'allowed-tools: Read Bash(git:*)'. Until then, 'enforce' denies every call.",
      // Many authors leave the field empty, which is harmless.
      severity: isEmpty ? "info" : "warning",
    });
    return isEmpty ? NONE : value.kind === "scalar" ? Object.freeze(splitTools(value.text).tools) : UNREADABLE;
  }
  const { tools, commas } = splitTools(value.text);
  if (tools.length === 0 && NOT_EMPTY.test(value.text)) {
    const fix = "Remove the field, or write the tools. Until then, 'enforce' denies every call.";
    report.add("allowed-tools-not-a-string", "'allowed-tools' names no tool.", { at, fix, severity: "warning" });
    return UNREADABLE;
  }
  if (commas) {
    const fix = `Write 'allowed-tools: ${shorten(tools.join(" "))}'.`;
    report.add("allowed-tools-commas", "'allowed-tools' has commas between the tools. The standard requires spaces.", {
      at,
      fix,
    });
  }
  return Object.freeze(tools);
}

const NONE: readonly string[] = Object.freeze([]);

/** More than the white space that YAML itself knows, such as a comma. */
const NOT_EMPTY = /[^ \t\r\n]/;

/** An invalid token, which covers nothing: the author meant to restrict the skill, so it must not allow everything. */
const UNREADABLE: readonly string[] = Object.freeze(["(unreadable)"]);

/** Splits at spaces and commas, but not inside `Bash(git add:*)`. */
export function splitTools(text: string): { tools: string[]; commas: boolean } {
  if (!text.includes("(")) return { tools: text.split(/[\s,]+/).filter(Boolean), commas: text.includes(",") };
  const tools: string[] = [];
  let commas = false;
  let depth = 0;
  let open = "";
  for (const character of text) {
    if (character === "(") depth++;
    if (character === ")") depth = Math.max(0, depth - 1);
    if (depth === 0 && (character === "," || /\s/.test(character))) {
      commas ||= character === ",";
      if (open !== "") tools.push(open);
      open = "";
    } else {
      open += character;
    }
  }
  if (open !== "") tools.push(open);
  return { tools, commas };
}
