import { ALLOWED_TOOLS_POLICIES, type AllowedToolsPolicy } from "../../core/allowed-tools/decide-call.ts";
import { SkillError } from "../../core/base/errors.ts";
import type { CatalogBudget } from "../../core/catalog/catalog.ts";
import { placeAt } from "../../core/manifest/manifest-report.ts";
import { toValue, type YamlNode } from "../../core/manifest/yaml-node.ts";
import { RUNNERS_BY_STRENGTH, type RunnerName, SANDBOXES, type SandboxName } from "../../core/script/runner-names.ts";
import { compileNameGlob } from "../../core/text/name-glob.ts";
import { parseRange } from "../../core/text/version-range.ts";
import { type ConfigSource, configError, hint, readCount, readFields, readWord } from "./config-section.ts";

/** A named filter: which skills are loaded, and what they may do. */
export interface Profile {
  readonly enabled?: readonly string[];
  readonly disabled?: readonly string[];
  /** The version range or the digest that a skill must have, by name. */
  readonly pins?: Readonly<Record<string, string>>;
  readonly scripts?: "off" | ProfileScripts;
  readonly allowedTools?: AllowedToolsPolicy;
  readonly maxSkills?: number;
  readonly catalog?: ProfileCatalog;
}

/** The size of the catalog, and the skills that keep their description where it is short. */
export interface ProfileCatalog {
  readonly tokens?: number;
  readonly characters?: number;
  readonly pins?: readonly string[];
}

/** The budget of a profile's catalog, if it has one. */
export function budgetOf({ tokens, characters }: ProfileCatalog): CatalogBudget | undefined {
  if (tokens !== undefined) return { tokens };
  return characters === undefined ? undefined : { characters };
}

export interface ProfileScripts {
  readonly runner?: RunnerName;
  readonly minimum?: SandboxName;
}

/** A profile with its file and the positions of its fields. */
export interface ProfileSource {
  readonly name: string;
  readonly path: string;
  readonly profile: Profile;
  /** The position of a field, such as `maxSkills` or `scripts.minimum`. */
  placeOf(field: string): { readonly line: number; readonly column: number };
}

/** The `profiles` of a skillset.json. */
export interface ProfilesConfig {
  readonly byName: ReadonlyMap<string, ProfileSource>;
  /** The profile that is used if none is named. */
  readonly default?: ProfileSource;
}

export function readProfilesConfig(
  node: YamlNode | undefined,
  chosen: YamlNode | undefined,
  source: ConfigSource,
): ProfilesConfig {
  if (node !== undefined && node.kind !== "mapping")
    throw configError("'profiles' must be an object.", node.at, source);
  const byName = new Map(
    (node?.entries ?? []).map(({ key, at, value }) => {
      if (!NAME.test(key))
        throw configError(`'${key.slice(0, 80)}' is not a valid name of a profile. ${NAMED}`, at, source);
      return [key, readProfile(key, value, source)];
    }),
  );
  if (chosen === undefined) return { byName };
  const name = toValue(chosen);
  const found = typeof name === "string" ? byName.get(name) : undefined;
  if (found !== undefined) return { byName, default: found };
  if (typeof name !== "string") throw configError("'defaultProfile' must be a string.", chosen.at, source);
  throw configError(`This file has no profile '${name}'${hint(name, [...byName.keys()])}`, chosen.at, source);
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const NAMED = "Use letters, digits, '.', '_' and '-'.";
type FieldReader<Value> = (node: YamlNode, source: ConfigSource, offsets: Map<string, number>) => Value;

/** Reads each field of a profile. */
const READERS: { readonly [Field in keyof Profile]-?: FieldReader<NonNullable<Profile[Field]>> } = {
  enabled: (node, source) => readNames("enabled", node, source),
  disabled: (node, source) => readNames("disabled", node, source),
  pins: readPins,
  scripts: readScripts,
  allowedTools: (node, source) => readWord("allowedTools", node, ALLOWED_TOOLS_POLICIES, source),
  maxSkills: (node, source) => readCount("maxSkills", node, source),
  catalog: readCatalog,
};

function readProfile(name: string, node: YamlNode, source: ConfigSource): ProfileSource {
  const known = Object.keys(READERS) as readonly (keyof Profile)[];
  const fields = readFields(node, { what: `The profile '${name}'`, kind: "key", known }, source);
  const offsets = new Map<string, number>(Array.from(fields, ([field, { at }]) => [field, at]));
  const values = Array.from(fields, ([field, { value }]) => [field, READERS[field](value, source, offsets)]);
  return {
    name,
    path: source.path,
    profile: Object.fromEntries(values),
    placeOf: (field) => placeAt(source.text, offsets.get(field) ?? node.at, 1),
  };
}

function readNames(key: string, node: YamlNode, source: ConfigSource): readonly string[] {
  if (node.kind !== "sequence") throw configError(`'${key}' must be an array of names.`, node.at, source);
  return node.items.map((item) => {
    const name = toValue(item);
    if (typeof name !== "string" || name === "")
      throw configError(`A name in '${key}' must be a string.`, item.at, source);
    try {
      compileNameGlob(name);
    } catch (error) {
      if (error instanceof SkillError) throw configError(error.message, item.at, source);
      throw error;
    }
    return name;
  });
}

function readPins(node: YamlNode, source: ConfigSource): Readonly<Record<string, string>> {
  if (node.kind !== "mapping") throw configError("'pins' must be an object of names and versions.", node.at, source);
  return Object.fromEntries(
    node.entries.map(({ key, value }) => {
      const pin = toValue(value);
      if (typeof pin === "string" && (DIGEST.test(pin) || parseRange(pin) !== undefined)) return [key, pin];
      const message = `The pin of '${key.slice(0, 80)}' must be a version range such as "^1.2", or a digest such as "sha256:…".`;
      throw configError(message, value.at, source);
    }),
  );
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;

function readScripts(node: YamlNode, source: ConfigSource, offsets: Map<string, number>): "off" | ProfileScripts {
  if (node.kind !== "mapping") return readWord<"off">("scripts", node, ["off"], source);
  const fields = readFields(node, { what: "'scripts'", kind: "key", known: ["runner", "minimum"] }, source);
  for (const [field, { at }] of fields) offsets.set(`scripts.${field}`, at);
  const [runner, minimum] = [fields.get("runner")?.value, fields.get("minimum")?.value];
  return {
    ...(runner && { runner: readWord("runner", runner, RUNNERS_BY_STRENGTH, source) }),
    ...(minimum && { minimum: readWord("minimum", minimum, SANDBOXES, source) }),
  };
}

function readCatalog(node: YamlNode, source: ConfigSource): ProfileCatalog {
  const fields = readFields(node, { what: "'catalog'", kind: "key", known: ["tokens", "characters", "pins"] }, source);
  const [tokens, characters, pins] = (["tokens", "characters", "pins"] as const).map(
    (field) => fields.get(field)?.value,
  );
  if ((tokens && characters) || fields.size === 0)
    throw configError("'catalog' must have either 'tokens' or 'characters'.", node.at, source);
  return {
    ...(tokens && { tokens: readCount("tokens", tokens, source) }),
    ...(characters && { characters: readCount("characters", characters, source) }),
    ...(pins && { pins: readNames("pins", pins, source) }),
  };
}
