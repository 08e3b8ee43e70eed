import { createPlainObject } from "../base/plain-object.ts";
import { checkAllowedTools } from "./allowed-tools.ts";
import { readArgumentHint, readArgumentNames } from "./argument-fields.ts";
import { checkMetadata, NO_METADATA } from "./check-metadata.ts";
import { checkCompatibility, checkDescription, checkText } from "./check-text.ts";
import { FAMILIAR_FIELDS, isStandardField, placeFor } from "./field-place.ts";
import { type ManifestReport, shorten } from "./manifest-report.ts";
import { checkName } from "./name-rules.ts";
import { checkToolsets } from "./toolsets.ts";
import { checkTriggers, type Triggers } from "./triggers.ts";
import { toValue, type YamlEntry } from "./yaml-node.ts";

/** A validated frontmatter: the standard's fields, and all others in `extra`. */
export interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** The tokens of `allowed-tools`. */
  readonly allowedTools: readonly string[];
  /** Frontmatter fields outside the standard. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** False if the frontmatter has `disable-model-invocation: true`. Users can still invoke the skill. */
  readonly modelInvocable: boolean;
  /** False if the frontmatter has `user-invocable: false`. The model can still activate the skill. */
  readonly userInvocable: boolean;
  /** The names of the words after the skill's name, from the frontmatter's `arguments`. Instructions use them as `$name`. */
  readonly argumentNames?: readonly string[];
  /** What to write after the skill's name, from the frontmatter's `argument-hint`. For people only. */
  readonly argumentHint?: string;
  /** What in a message triggers the skill, in sessions with the option `triggers`. */
  readonly triggers?: Triggers;
  /** Modules of the skill with tools, such as `toolsets/index:MyToolset`, for skillsets with the option `toolsets`. */
  readonly toolsets?: readonly string[];
}

/** What reads each field of a manifest, in the order in which problems are reported. Skills and snapshots copy them all. */
const READERS: { readonly [Field in keyof Manifest]-?: FieldReader<Manifest[Field]> } = {
  name: (entries, report) => {
    report.name = checkName(find(entries, "name"), report);
    return report.name;
  },
  description: (entries, report) => checkDescription(find(entries, "description"), report),
  license: (entries, report) => checkText(find(entries, "license"), "license-not-a-string", report),
  compatibility: (entries, report) => checkCompatibility(find(entries, "compatibility"), report),
  metadata: (entries, report) => checkMetadata(find(entries, "metadata"), report),
  allowedTools: (entries, report) => checkAllowedTools(find(entries, "allowed-tools"), report),
  extra: checkOthers,
  modelInvocable: (entries, report, read) => !checkFlag("disable-model-invocation", entries, report, read),
  userInvocable: (entries, report, read) => checkFlag("user-invocable", entries, report, read) ?? true,
  argumentNames: (_entries, _report, { extra, metadata }) => readArgumentNames(extra.arguments ?? metadata.arguments),
  argumentHint: (_entries, _report, { extra, metadata }) =>
    readArgumentHint(extra["argument-hint"] ?? metadata["argument-hint"]),
  triggers: (entries, report) => checkTriggers(find(entries, "triggers"), find(entries, "metadata"), report),
  toolsets: (entries, report) => checkToolsets(find(entries, "toolsets"), find(entries, "metadata"), report),
};

/** Reads one field. `read` has those that were read before it. */
type FieldReader<Value> = (
  entries: readonly YamlEntry[],
  report: ManifestReport,
  read: Pick<Manifest, "metadata" | "extra">,
) => Value | undefined;

const FIELDS = Object.keys(READERS) as readonly (keyof Manifest)[];

/** Checks every rule of the standard. Returns undefined if the policy rejects the skill. */
export function checkManifest(entries: readonly YamlEntry[], report: ManifestReport): Manifest | undefined {
  const manifest: { -readonly [Field in keyof Manifest]?: unknown } = {};
  for (const field of FIELDS) {
    const value = READERS[field](entries, report, manifest as Manifest);
    if (value !== undefined) manifest[field] = value;
  }
  const isWhole = manifest.name !== undefined && manifest.description !== undefined;
  return report.refused || !isWhole ? undefined : (manifest as Manifest);
}

/** Returns the manifest of a skill, without what else the object has. */
export function manifestOf(skill: Manifest): Manifest {
  const fields = FIELDS.flatMap((field) => (skill[field] === undefined ? [] : [[field, skill[field]]]));
  return Object.fromEntries(fields) as unknown as Manifest;
}

/** The first entry of a key counts. */
function find(entries: readonly YamlEntry[], key: string): YamlEntry | undefined {
  for (const entry of entries) if (entry.key === key) return entry;
  return undefined;
}

const NO_EXTRA = Object.freeze(createPlainObject<unknown>());

function checkOthers(entries: readonly YamlEntry[], report: ManifestReport): Manifest["extra"] {
  const { unknownFields, extensions } = report.context.policy;
  let extra: Record<string, unknown> | undefined;
  for (const { key, value, at } of entries) {
    if (isStandardField(key)) continue;
    extra ??= createPlainObject<unknown>();
    extra[key] ??= toValue(value);
    if (unknownFields === "ignore" || extensions.includes(key)) continue;
    const severity = FAMILIAR_FIELDS.has(key) ? "info" : "warning";
    report.add("field-unknown", `The standard has no field '${shorten(key)}'.`, {
      at,
      fix: placeFor(key, value, (field) => find(entries, field) !== undefined),
      severity,
    });
  }
  return extra === undefined ? NO_EXTRA : Object.freeze(extra);
}

/** Reads a boolean field, at the top level or under `metadata`. Returns undefined if it is missing or not a boolean. */
function checkFlag(
  key: string,
  entries: readonly YamlEntry[],
  report: ManifestReport,
  { metadata }: Pick<Manifest, "metadata">,
): boolean | undefined {
  const entry = find(entries, key);
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
