import { SkillError } from "../base/errors.ts";
import { describeValue, isSessionOrSkillset } from "./describe-value.ts";
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
  if (!isOptions(options))
    throw new SkillError("option-invalid", `${what} takes an object with options, not ${describeValue(options)}.`);
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) {
    checkSignal(what, options, known);
    return;
  }
  const hint = (Object.hasOwn(fixes, unknown) ? fixes[unknown] : undefined) ?? hintFor(unknown, Object.keys(known));
  throw new SkillError("option-invalid", `${what} has no option '${unknown}'. ${hint}`);
}

function hintFor(unknown: string, known: readonly string[]): string {
  const near = nearestWord(unknown, known);
  return near === undefined ? `Known options: ${known.join(", ")}.` : `Did you mean '${near}'?`;
}

/** A session or a skillset has no fields, so each of its options would be missing without an error. */
function isOptions(value: unknown): value is { readonly then?: never; readonly signal?: unknown } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return typeof (value as Partial<PromiseLike<unknown>>).then !== "function" && !isSessionOrSkillset(value);
}

/** A controller in its place would never cancel anything. */
function checkSignal(what: string, { signal }: { readonly signal?: unknown }, known: object): void {
  if (signal === undefined || signal === null || !Object.hasOwn(known, "signal")) return;
  if (typeof signal === "object" && "aborted" in signal) return;
  const fix = typeof signal === "object" && "signal" in signal ? " Pass its 'signal'." : "";
  const wrong = `${what} takes an AbortSignal as 'signal', not ${describeValue(signal)}.${fix}`;
  throw new SkillError("option-invalid", wrong);
}
