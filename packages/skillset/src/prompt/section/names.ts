import { SkillError } from "../../core/base/errors.ts";

/** Names or keys. A plain string is rejected, because it would be split into its characters. */
export type Names = readonly string[] | ReadonlySet<string>;

/** Returns the names as a set. Validates them, because JavaScript callers can pass anything. */
export function nameSet(option: string, names: Names): ReadonlySet<string> {
  if (!isNames(names)) {
    const example = typeof names === "string" ? ` Write ["${names}"].` : "";
    throw new SkillError("option-invalid", `'${option}' must be an array of names; got ${shown(names)}.${example}`);
  }
  return new Set(names);
}

function isNames(names: unknown): boolean {
  const list = names instanceof Set ? [...names] : names;
  return Array.isArray(list) && list.every((name) => typeof name === "string");
}

function shown(value: unknown): string {
  return typeof value === "string" ? `the string '${value}'` : (JSON.stringify(value) ?? String(value));
}
