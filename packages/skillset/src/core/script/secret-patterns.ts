import { secretForms } from "./secret-forms.ts";

/** Values with fewer characters are not hidden: they are settings, and hiding `en` would damage every text. */
export const SHORTEST_SECRET = 6;

/** A text with fewer letters and digits must match exactly, so that unrelated texts do not. */
const SHORTEST_LOOSE = 8;

/** One text to search for. */
export interface SecretPattern {
  /** The name of the secret. */
  readonly name: string;
  /** Whether only letters and digits count, in any case. Otherwise every character does. */
  readonly isLoose: boolean;
  readonly text: string;
  /** The positions of the secrets that it is a form of. */
  readonly secrets: readonly number[];
}

type Form = Omit<SecretPattern, "secrets">;

/** Returns what to search for to find secrets. */
export function secretPatterns(secrets: Iterable<readonly [name: string, value: string]>): readonly SecretPattern[] {
  const patterns = new Map<string, SecretPattern>();
  for (const [position, [name, value]] of [...secrets].entries()) {
    if (value.length < SHORTEST_SECRET) continue;
    for (const pattern of secretForms(value).flatMap((form) => toPatterns(name, form))) {
      const key = `${pattern.isLoose} ${pattern.text}`;
      patterns.set(key, { ...pattern, secrets: [...(patterns.get(key)?.secrets ?? []), position] });
    }
  }
  return [...patterns.values()];
}

function toPatterns(name: string, form: string): readonly Form[] {
  const loose = {
    name,
    isLoose: true,
    text: form.replace(UNCOUNTED, "").replace(/[A-Z]+/g, (one) => one.toLowerCase()),
  };
  const exact = { name, isLoose: false, text: form };
  if (loose.text.length < SHORTEST_LOOSE) return form.length < SHORTEST_SECRET ? [] : [exact];
  const isBare =
    countedUnit(form.charCodeAt(0)) !== IGNORED && countedUnit(form.charCodeAt(form.length - 1)) !== IGNORED;
  // The exact one also covers punctuation at the ends.
  return isBare ? [loose] : [loose, exact];
}

/** What a loose pattern ignores. */
export const IGNORED = 0;

const UNCOUNTED = /[^0-9A-Za-z\x80-\uffff]+/g;

/** Lower case for letters of ASCII. Spaces, line breaks and punctuation do not count. */
export function countedUnit(unit: number): number {
  if (unit >= 0x61 && unit <= 0x7a) return unit;
  if (unit >= 0x41 && unit <= 0x5a) return unit + 0x20;
  return (unit >= 0x30 && unit <= 0x39) || unit > 0x7f ? unit : IGNORED;
}
