import { SkillError } from "../../core/base/errors.ts";
import { placeAt } from "../../core/manifest/manifest-report.ts";
import type { YamlNode } from "../../core/manifest/yaml-node.ts";
import { nearestWord } from "../../core/text/nearest-word.ts";

/** The file that a section is read from, for the place of a mistake. */
export interface ConfigSource {
  readonly path: string;
  readonly text: string;
}

/** The error for a mistake at an offset: `file:line:column: message`. */
export function configError(message: string, at: number, { path, text }: ConfigSource): SkillError {
  const { line, column } = placeAt(text, at, 1);
  return new SkillError("config-invalid", `${path}:${line}:${column}: ${message}`);
}

/** The values of an object, by key. An unknown key is an error that names the nearest known one. */
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

/** The end of a sentence about a word that is not known. */
export function hint(word: string, known: readonly string[]): string {
  const near = nearestWord(word.slice(0, 80), known);
  return near === undefined ? "." : `; did you mean '${near}'?`;
}
