import { toTerm } from "../search/words.ts";
import { editsBetween } from "../text/edits-between.ts";

/**
 * Returns the names that were most likely meant by an unknown one, best first: names that differ in punctuation, case, plural
 * or the order of words, then in a few letters, then names that begin with it or share half of its words.
 */
export function nearestNames(unknown: string, names: readonly string[], limit: number): readonly string[] {
  const wanted = readName(unknown);
  if (wanted.letters === "") return [];
  const near: { readonly name: string; readonly distance: number }[] = [];
  for (const name of names) {
    const distance = distanceOf(wanted, readName(name));
    if (distance !== undefined) near.push({ name, distance });
  }
  const least = near.reduce((best, { distance }) => Math.min(best, distance), Number.POSITIVE_INFINITY);
  return near
    .filter(({ distance }) => distance < least + MUCH_FARTHER)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Where a name with the same words exists, one that shares half of them is noise. */
const MUCH_FARTHER = 2;

interface ReadName {
  readonly words: readonly string[];
  /** The words without separators. */
  readonly letters: string;
}

function readName(name: string): ReadName {
  const words = name.normalize("NFKC").replace(CAMEL_HUMP, "-").toLowerCase().split(SEPARATORS).filter(Boolean);
  const terms = words.map(toTerm);
  return { words: terms, letters: terms.join("") };
}

const SEPARATORS = /[\s._:/\\-]+/;
const CAMEL_HUMP = /(?<=[a-z])(?=[A-Z])/g;

/** From 0 for the same words to 3 and more for a part of them; undefined for another name. */
function distanceOf(wanted: ReadName, name: ReadName): number | undefined {
  if (wanted.letters === name.letters) return 0;
  const shared = wanted.words.filter((word) => name.words.includes(word)).length;
  const most = Math.max(wanted.words.length, name.words.length);
  if (shared === most) return 0.5;
  const edits = editsBetween(wanted.letters, name.letters);
  if (edits !== undefined) return 1 + edits / (edits + 1);
  const extra = name.letters.length - wanted.letters.length;
  if (wanted.letters.length >= SHORTEST_PREFIX && name.letters.startsWith(wanted.letters)) return 2 + extra / 1000;
  return shared > 0 && shared >= wanted.words.length / 2 ? 3 + (most - shared) / most : undefined;
}

const SHORTEST_PREFIX = 3;
