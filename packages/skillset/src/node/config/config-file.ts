import { readFileSync } from "node:fs";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import type { YamlNode } from "../../core/manifest/yaml-node.ts";
import { type ConfigSource, configError, readFields } from "./config-section.ts";
import { JsonError, parseJson } from "./parse-json.ts";
import { type ProfilesConfig, readProfilesConfig } from "./profiles-config.ts";
import { readValidateConfig, type ValidateConfig } from "./validate-config.ts";

/** The contents of a skillset.json. */
export interface SkillsetConfig {
  readonly path: string;
  readonly validate: ValidateConfig;
  readonly profiles: ProfilesConfig;
}

/** Reads a skillset.json. Throws a `SkillError` with the position of the first mistake. */
export function readConfig(path: string): SkillsetConfig {
  const source = { path, text: readText(path) };
  const root = {
    what: "skillset.json",
    kind: "key",
    known: ["$schema", "validate", "profiles", "defaultProfile"],
  } as const;
  const fields = readFields(parse(source), root, source);
  return {
    path,
    validate: readValidateConfig(fields.get("validate")?.value, source),
    profiles: readProfilesConfig(fields.get("profiles")?.value, fields.get("defaultProfile")?.value, source),
  };
}

function readText(path: string): string {
  try {
    const text = readFileSync(path, "utf8");
    if (text.length <= LIMITS.hard.skillMd) return text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SkillError("config-invalid", `'${path}' cannot be read (${code}).`, { cause: error });
  }
  throw new SkillError("config-invalid", `'${path}' is larger than ${LIMITS.hard.skillMd} characters.`);
}

function parse(source: ConfigSource): YamlNode {
  try {
    return parseJson(source.text);
  } catch (error) {
    if (error instanceof JsonError) throw configError(`Invalid JSON: ${error.message}.`, error.at, source);
    throw error;
  }
}
