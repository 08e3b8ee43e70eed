import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import type { YamlNode } from "../../core/manifest/yaml-node.ts";
import { projectFolders } from "../load/sources.ts";
import { type ConfigSource, configError, readFields } from "./config-section.ts";
import { JsonError, parseJson } from "./parse-json.ts";
import { readValidateConfig, type ValidateConfig } from "./validate-config.ts";

/** The contents of a skillset.json. */
export interface SkillsetConfig {
  readonly path: string;
  readonly validate: ValidateConfig;
}

/**
 * Finds the nearest skillset.json, from the working directory up to the repository's root. Outside a repository, only
 * the working directory counts. Ignores files beside the skills: a skill must not change the rules that validate it.
 */
export function findConfig(cwd: string): string | undefined {
  return projectFolders(resolve(cwd))
    .map((folder) => join(folder, "skillset.json"))
    .find((path) => existsSync(path));
}

/** Reads a skillset.json. Throws a `SkillError` with the position of the first mistake. */
export function readConfig(path: string): SkillsetConfig {
  const source = { path, text: readText(path) };
  const root = { what: "skillset.json", kind: "key", known: ["$schema", "validate"] } as const;
  const fields = readFields(parse(source), root, source);
  return { path, validate: readValidateConfig(fields.get("validate")?.value, source) };
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
