import { SkillError } from "./errors.ts";

/** Throws for an option that does not exist: a misspelt filter must not show skills that it should hide. */
export function checkOptions(what: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const close = known.find((name) => name.startsWith(unknown) || unknown.startsWith(name));
  const hint = close === undefined ? `Known options: ${known.join(", ")}.` : `Did you mean '${close}'?`;
  throw new SkillError("option-invalid", `${what} has no option '${unknown}'. ${hint}`);
}
