import { SkillError } from "../../core/base/errors.ts";
import { placeAt } from "../../core/manifest/manifest-report.ts";
import { toValue, type YamlNode } from "../../core/manifest/yaml-node.ts";
import { nearestWord } from "../../core/text/nearest-word.ts";

/** The file of a section, to locate mistakes. */
export interface ConfigSource {
  readonly path: string;
  readonly text: string;
}

/** Creates the error for a mistake at an offset: `file:line:column: message`. */
export function configError(message: string, at: number, { path, text }: ConfigSource): SkillError {
  const { line, column } = placeAt(text, at, 1);
  return new SkillError("config-invalid", `${path}:${line}:${column}: ${message}`);
}

/** Returns the values of an object, by key. Throws for an unknown key and suggests the nearest known one. */
export function readFields<Key extends string>(
  node: YamlNode,
  { what, kind, known }: { readonly what: string; readonly kind: string; readonly known: readonly Key[] },
  source: ConfigSource,
): ReadonlyMap<Key, { readonly at: number; readonly value: YamlNode }> {
  if (node.kind !== "mapping") throw configError(`${what} must be an object.`, node.at, source);
  return new Map(
    node.entries.map(({ key, at, value }) => {
      const found = known.find((word) => word === key);
      if (found === undefined) throw configError(`${what} has no ${kind} '${key}'${hint(key, known)}`, at, source);
      return [found, { at, value }];
    }),
  );
}

/** Returns a non-negative integer. */
export function readCount(key: string, node: YamlNode, source: ConfigSource): number {
  const value = toValue(node);
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw configError(`'${key}' must be a non-negative integer.`, node.at, source);
}

/** Returns one of a few words. */
export function readWord<Word extends string>(
  key: string,
  node: YamlNode,
  words: readonly Word[],
  source: ConfigSource,
): Word {
  const value = toValue(node);
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  const names = words.map((word) => `'${word}'`).join(", ");
  throw configError(
    `'${key}' must be one of ${names}${hint(typeof value === "string" ? value : "", words)}`,
    node.at,
    source,
  );
}

/** Returns the end of a sentence about an unknown word. */
export function hint(word: string, known: readonly string[]): string {
  const near = nearestWord(word.slice(0, 80), known);
  return near === undefined ? "." : `; did you mean '${near}'?`;
}
