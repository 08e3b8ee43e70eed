import { LIMITS } from "../base/limits.ts";
import { type ManifestReport, shorten } from "./manifest-report.ts";
import { isNull, type YamlEntry, type YamlNode } from "./yaml-node.ts";

/** What in a message triggers a skill. */
export interface Triggers {
  /** Words and phrases that the message contains. */
  readonly keywords: readonly string[];
  /** English verbs in any regular form, and verbs of other languages as they are written. */
  readonly verbs: readonly string[];
  /** RE2 expressions. */
  readonly patterns: readonly string[];
}

/** One trigger, with its position in the frontmatter. */
export interface PlacedTrigger {
  readonly kind: keyof Triggers;
  readonly text: string;
  readonly at: number;
}

/** Returns the triggers of a frontmatter. Reports and leaves out what cannot be one. */
export function checkTriggers(
  triggers: YamlEntry | undefined,
  metadata: YamlEntry | undefined,
  report: ManifestReport,
): Triggers | undefined {
  if (triggers === undefined && metadata === undefined) return undefined;
  const found = placeTriggers(triggers, metadata, (message, at, fix) =>
    report.add("triggers-invalid", message, { at, fix }),
  );
  if (found.length === 0) return undefined;
  const textsOf = (kind: keyof Triggers): readonly string[] =>
    Object.freeze([...new Set(found.filter((one) => one.kind === kind).map(({ text }) => text))]);
  return Object.freeze({ keywords: textsOf("keywords"), verbs: textsOf("verbs"), patterns: textsOf("patterns") });
}

type ReportFault = (message: string, at: number, fix: string) => void;

/** Returns the triggers in `triggers`, and in `trigger-keywords` and the like under `metadata`. */
export function placeTriggers(
  triggers: YamlEntry | undefined,
  metadata: YamlEntry | undefined,
  report: ReportFault = () => {},
): readonly PlacedTrigger[] {
  const found: PlacedTrigger[] = [];
  for (const { key, at, value } of metadata?.value.kind === "mapping" ? metadata.value.entries : []) {
    if (!key.startsWith("trigger")) continue;
    if (key === "triggers") report("'triggers' under 'metadata' triggers nothing.", at, WRITE_LISTS);
    const kind = KINDS.find((one) => key === `trigger-${one}`);
    if (kind !== undefined) found.push(...textsIn(kind, value, at, report));
  }
  // Most authors who write triggers write a plain list.
  if (triggers?.value.kind === "sequence") found.push(...textsIn("keywords", triggers.value, triggers.at, report));
  if (triggers?.value.kind === "scalar")
    report("'triggers' must be a mapping.", triggers.at, `Write 'triggers:', and below it '  keywords: ["tea"]'.`);
  for (const { key, at, value } of triggers?.value.kind === "mapping" ? triggers.value.entries : []) {
    const kind = KINDS.find((one) => key === one);
    if (kind !== undefined) found.push(...textsIn(kind, value, at, report));
    else report(`'triggers' has no list '${shorten(key)}'.`, at, "Use 'keywords', 'verbs' or 'patterns'.");
  }
  return found;
}

const WRITE_LISTS =
  "Write 'trigger-keywords', 'trigger-verbs' or 'trigger-patterns' there, each as one string with commas.";

const KINDS = ["keywords", "verbs", "patterns"] as const;

function textsIn(kind: keyof Triggers, value: YamlNode, at: number, report: ReportFault): readonly PlacedTrigger[] {
  const { triggers: most, triggerCharacters: longest } = LIMITS.hard;
  const found: PlacedTrigger[] = [];
  for (const item of itemsOf(value)) {
    const text = item.text?.trim() ?? "";
    if (text === "") {
      report(`Each of the ${kind} must be a string that is not empty.`, item.at, `Write it as '${kind}: ["tea"]'.`);
    } else if (text.length > longest) {
      const message = `One of the ${kind} has ${text.length} characters. The maximum is ${longest}.`;
      report(message, item.at, "Shorten it, or split it into several.");
    } else if (found.length === most) {
      report(`There are more than ${most} ${kind}. The others are not used.`, at, "Keep those that matter.");
      break;
    } else {
      found.push({ kind, text, at: item.at });
    }
  }
  return found;
}

/** Returns the items of a list, or the parts of a text with commas. An item that is not a string has no text. */
export function itemsOf(value: YamlNode): readonly { readonly at: number; readonly text?: string }[] {
  if (value.kind === "mapping") return [{ at: value.at }];
  if (value.kind === "scalar") return splitAtCommas(value.text).map((text) => ({ at: value.at, text }));
  return value.items.map((item) => ({
    at: item.at,
    ...(item.kind === "scalar" && !isNull(item) && { text: item.text }),
  }));
}

/** Splits at commas, but not after a backslash or inside brackets, as in `a{1,2}`. */
function splitAtCommas(text: string): readonly string[] {
  const parts: string[] = [];
  let [start, depth] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\") at++;
    else if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth = Math.max(0, depth - 1);
    else if (character === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
