import { LIMITS } from "../base/limits.ts";
import { createPlainObject } from "../base/plain-object.ts";
import type { ProblemCode } from "../base/problem.ts";
import { checkAllowedTools } from "./allowed-tools.ts";
import { readArgumentHint, readArgumentNames } from "./argument-fields.ts";
import { checkMetadata, NO_METADATA } from "./check-metadata.ts";
import { FAMILIAR_FIELDS, placeFor } from "./field-place.ts";
import { type ManifestReport, shorten } from "./manifest-report.ts";
import { checkName } from "./name-rules.ts";
import { checkToolsets } from "./toolsets.ts";
import { checkTriggers, type Triggers } from "./triggers.ts";
import { reportHidden, visible } from "./visible-field.ts";
import { isNull, isScalar, isTyped, toValue, type YamlEntry, type YamlNode } from "./yaml-node.ts";

/** A validated frontmatter: the standard's fields, and all others in `extra`. */
export interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly allowedTools: readonly string[];
  readonly extra: Readonly<Record<string, unknown>>;
  readonly modelInvocable: boolean;
  readonly userInvocable: boolean;
  readonly argumentNames?: readonly string[];
  readonly argumentHint?: string;
  readonly triggers?: Triggers;
  readonly toolsets?: readonly string[];
}

/** Checks every rule of the standard. Returns undefined if the policy rejects the skill. */
export function checkManifest(entries: readonly YamlEntry[], report: ManifestReport): Manifest | undefined {
  const fields = sortFields(entries);
  const name = checkName(fields.name, report);
  report.name = name;
  const description = checkDescription(fields.description, report);
  const license = checkText(fields.license, "license-not-a-string", report);
  const compatibility = checkCompatibility(fields.compatibility, report);
  const metadata = checkMetadata(fields.metadata, report);
  const allowedTools = checkAllowedTools(fields["allowed-tools"], report);
  const extra = checkOthers(fields, report);
  const hidden = checkFlag("disable-model-invocation", fields.hidden, metadata, report) ?? false;
  const userInvocable = checkFlag("user-invocable", fields.userInvocable, metadata, report) ?? true;
  if (report.refused || name === undefined || description === undefined) return undefined;
  const modelInvocable = !hidden;
  const manifest: { -readonly [Field in keyof Manifest]: Manifest[Field] } = {
    name,
    description,
    metadata,
    allowedTools,
    extra,
    modelInvocable,
    userInvocable,
  };
  const triggers = checkTriggers(fields.triggers, fields.metadata, report);
  const toolsets = checkToolsets(fields.toolsets, fields.metadata, report);
  const argumentNames = readArgumentNames(extra.arguments ?? metadata.arguments);
  const argumentHint = readArgumentHint(extra["argument-hint"] ?? metadata["argument-hint"]);
  if (license !== undefined) manifest.license = license;
  if (compatibility !== undefined) manifest.compatibility = compatibility;
  if (argumentNames !== undefined) manifest.argumentNames = argumentNames;
  if (argumentHint !== undefined) manifest.argumentHint = argumentHint;
  if (triggers !== undefined) manifest.triggers = triggers;
  if (toolsets !== undefined) manifest.toolsets = toolsets;
  return manifest;
}

interface Fields {
  name: YamlEntry | undefined;
  description: YamlEntry | undefined;
  license: YamlEntry | undefined;
  compatibility: YamlEntry | undefined;
  metadata: YamlEntry | undefined;
  "allowed-tools": YamlEntry | undefined;
  /** The two flags, the triggers and the toolsets are also in `others`. */
  hidden: YamlEntry | undefined;
  userInvocable: YamlEntry | undefined;
  triggers: YamlEntry | undefined;
  toolsets: YamlEntry | undefined;
  others: readonly YamlEntry[];
}

function sortFields(entries: readonly YamlEntry[]): Fields {
  const fields: Fields = {
    name: undefined,
    description: undefined,
    license: undefined,
    compatibility: undefined,
    metadata: undefined,
    "allowed-tools": undefined,
    hidden: undefined,
    userInvocable: undefined,
    triggers: undefined,
    toolsets: undefined,
    others: NO_ENTRIES,
  };
  let others: YamlEntry[] | undefined;
  for (const entry of entries) {
    // Written out, because assigning a field by a dynamic name is slow and happens for every field.
    switch (entry.key) {
      case "name":
        fields.name ??= entry;
        break;
      case "description":
        fields.description ??= entry;
        break;
      case "license":
        fields.license ??= entry;
        break;
      case "compatibility":
        fields.compatibility ??= entry;
        break;
      case "metadata":
        fields.metadata ??= entry;
        break;
      case "allowed-tools":
        fields["allowed-tools"] ??= entry;
        break;
      default:
        if (entry.key === "disable-model-invocation") fields.hidden ??= entry;
        if (entry.key === "user-invocable") fields.userInvocable ??= entry;
        if (entry.key === "triggers") fields.triggers ??= entry;
        if (entry.key === "toolsets") fields.toolsets ??= entry;
        others ??= [];
        others.push(entry);
    }
  }
  if (others !== undefined) fields.others = others;
  return fields;
}

const NO_ENTRIES: readonly YamlEntry[] = [];

const DESCRIBE = "Describe in one or two sentences what the skill does and when to use it.";

function checkDescription(entry: YamlEntry | undefined, report: ManifestReport): string | undefined {
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

function checkCompatibility(entry: YamlEntry | undefined, report: ManifestReport): string | undefined {
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
function checkText(entry: YamlEntry | undefined, code: ProblemCode, report: ManifestReport): string | undefined {
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

const NO_EXTRA = Object.freeze(createPlainObject<unknown>());

function checkOthers(fields: Fields, report: ManifestReport): Readonly<Record<string, unknown>> {
  const { others: entries } = fields;
  if (entries.length === 0) return NO_EXTRA;
  const { unknownFields, extensions } = report.context.policy;
  const extra = createPlainObject<unknown>();
  for (const { key, value, at } of entries) {
    extra[key] ??= toValue(value);
    if (unknownFields === "ignore" || extensions.includes(key)) continue;
    const severity = FAMILIAR_FIELDS.has(key) ? "info" : "warning";
    report.add("field-unknown", `The standard has no field '${shorten(key)}'.`, {
      at,
      fix: placeFor(key, value, (field) => isSet(field, fields)),
      severity,
    });
  }
  return Object.freeze(extra);
}

function isSet(field: string, fields: Fields): boolean {
  return fields[field as keyof Fields] !== undefined || fields.others.some(({ key }) => key === field);
}

/** Reads a boolean field, at the top level or under `metadata`. Returns undefined if it is missing or not a boolean. */
function checkFlag(
  key: string,
  entry: YamlEntry | undefined,
  metadata: Readonly<Record<string, string>>,
  report: ManifestReport,
): boolean | undefined {
  if (entry === undefined && metadata === NO_METADATA) return undefined;
  const text = entry === undefined ? metadata[key] : entry.value.kind === "scalar" ? entry.value.text : "";
  if (text === undefined) return undefined;
  if (/^(?:true|yes|on)$/i.test(text)) return true;
  if (/^(?:false|no|off)$/i.test(text)) return false;
  report.add("flag-not-a-boolean", `'${key}' must be true or false.`, {
    at: entry?.at,
    fix: `Write '${key}: true' or '${key}: false'.`,
  });
  return undefined;
}
