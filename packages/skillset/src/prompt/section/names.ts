import { SkillError } from "../../core/base/errors.ts";

/** Names or keys; not a lone text, which would be taken for its letters. */
export type Names = readonly string[] | ReadonlySet<string>;

/** The names as a set. From JavaScript anything may come. */
export function nameSet(option: string, names: Names): ReadonlySet<string> {
  if (!isNames(names)) {
    const example = typeof names === "string" ? ` Write ["${names}"].` : "";
    throw new SkillError("option-invalid", `'${option}' takes a list of names, not ${shown(names)}.${example}`);
  }
  return new Set(names);
}

function isNames(names: unknown): boolean {
  const list = names instanceof Set ? [...names] : names;
  return Array.isArray(list) && list.every((name) => typeof name === "string");
}

function shown(value: unknown): string {
  return typeof value === "string" ? `the text '${value}'` : (JSON.stringify(value) ?? String(value));
}
