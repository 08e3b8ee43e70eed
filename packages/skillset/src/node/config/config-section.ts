import { SkillError } from "../../core/base/errors.ts";
import { placeAt } from "../../core/manifest/manifest-report.ts";
import type { YamlNode } from "../../core/manifest/yaml-node.ts";
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

/** Returns the end of a sentence about an unknown word. */
export function hint(word: string, known: readonly string[]): string {
  const near = nearestWord(word.slice(0, 80), known);
  return near === undefined ? "." : `; did you mean '${near}'?`;
}
