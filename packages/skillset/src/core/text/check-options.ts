import { SkillError } from "../base/errors.ts";
import { describeValue } from "./describe-value.ts";
import { nearestWord } from "./nearest-word.ts";

/** The names of all options of a type. A table that lacks one, or has one that does not exist, does not compile. */
export type OptionTable<Options> = Readonly<Record<KeyOf<Options>, true>>;

type KeyOf<Options> = Options extends unknown ? keyof Options : never;

/**
 * Throws for options that are no object, and for an option that does not exist: a misspelt filter must not show skills
 * that it should hide. `fixes` says what to do about names that people write instead of ours.
 * @example
 * ```ts
 * import { checkOptions, type OptionTable } from "skillset/adapter";
 *
 * interface BrewOptions {
 *   readonly minutes?: number;
 * }
 * const OPTIONS: OptionTable<BrewOptions> = { minutes: true };
 *
 * export function brew(options: BrewOptions = {}): void {
 *   checkOptions("brew()", options, OPTIONS); // brew() has no option 'minute'. Did you mean 'minutes'?
 * }
 * ```
 */
export function checkOptions(
  what: string,
  options: unknown,
  known: object,
  fixes: Readonly<Record<string, string>> = {},
): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null || Array.isArray(options) || isPromise(options))
    throw new SkillError("option-invalid", `${what} takes an object with options, not ${describeValue(options)}.`);
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const hint = (Object.hasOwn(fixes, unknown) ? fixes[unknown] : undefined) ?? hintFor(unknown, Object.keys(known));
  throw new SkillError("option-invalid", `${what} has no option '${unknown}'. ${hint}`);
}

function hintFor(unknown: string, known: readonly string[]): string {
  const near = nearestWord(unknown, known);
  return near === undefined ? `Known options: ${known.join(", ")}.` : `Did you mean '${near}'?`;
}

function isPromise(value: object): boolean {
  return typeof (value as Partial<PromiseLike<unknown>>).then === "function";
}
