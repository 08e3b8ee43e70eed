import { SkillError } from "../base/errors.ts";
import { nearestWord } from "./nearest-word.ts";

/** Throws for an option that does not exist: a misspelt filter must not show skills that it should hide. */
export function checkOptions(what: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const near = nearestWord(unknown, known);
  const hint = near === undefined ? `Known options: ${known.join(", ")}.` : `Did you mean '${near}'?`;
  throw new SkillError("option-invalid", `${what} has no option '${unknown}'. ${hint}`);
}
