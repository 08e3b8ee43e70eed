// biome-ignore-all lint/style/noNonNullAssertion: every index is within its array.
import { toTerm } from "../search/words.ts";

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
  /** One bit for each letter, modulo 32. */
  readonly mask: number;
}

function readName(name: string): ReadName {
  const words = name.normalize("NFKC").replace(CAMEL_HUMP, "-").toLowerCase().split(SEPARATORS).filter(Boolean);
  const terms = words.map(toTerm);
  const letters = terms.join("");
  let mask = 0;
  for (let at = 0; at < letters.length; at++) mask |= 1 << (letters.charCodeAt(at) & 31);
  return { words: terms, letters, mask };
}

const SEPARATORS = /[\s._:/\\-]+/;
const CAMEL_HUMP = /(?<=[a-z])(?=[A-Z])/g;

/** From 0 for the same words to 3 and more for a part of them; undefined for another name. */
function distanceOf(wanted: ReadName, name: ReadName): number | undefined {
  if (wanted.letters === name.letters) return 0;
  const shared = wanted.words.filter((word) => name.words.includes(word)).length;
  const most = Math.max(wanted.words.length, name.words.length);
  if (shared === most) return 0.5;
  const edits = editsBetween(wanted, name);
  if (edits !== undefined) return 1 + edits / (edits + 1);
  const extra = name.letters.length - wanted.letters.length;
  if (wanted.letters.length >= SHORTEST_PREFIX && name.letters.startsWith(wanted.letters)) return 2 + extra / 1000;
  return shared > 0 && shared >= wanted.words.length / 2 ? 3 + (most - shared) / most : undefined;
}

const SHORTEST_PREFIX = 3;

/** Counts the letters to add, remove, replace or swap, up to a third of the longer name; undefined for more. */
function editsBetween(one: ReadName, other: ReadName): number | undefined {
  const [a, b] = [one.letters, other.letters];
  const most = Math.floor(Math.max(a.length, b.length) / 3);
  if (Math.abs(a.length - b.length) > most) return undefined;
  // Every letter that only one of them has needs an edit, and a replacement accounts for two.
  if (bitsOf(one.mask & ~other.mask) > most || bitsOf(other.mask & ~one.mask) > most) return undefined;
  const width = b.length + 1;
  let older = new Uint16Array(width);
  let previous = Uint16Array.from({ length: width }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const current = new Uint16Array(width).fill(most + 1);
    current[0] = row;
    let least = most + 1;
    for (let column = Math.max(1, row - most); column <= Math.min(b.length, row + most); column++) {
      const isSame = a[row - 1] === b[column - 1];
      let edits = previous[column - 1]! + (isSame ? 0 : 1);
      edits = Math.min(edits, previous[column]! + 1, current[column - 1]! + 1);
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwapped) edits = Math.min(edits, older[column - 2]! + 1);
      current[column] = edits;
      least = Math.min(least, edits);
    }
    if (least > most) return undefined;
    [older, previous] = [previous, current];
  }
  return previous[b.length]! <= most ? previous[b.length]! : undefined;
}

function bitsOf(mask: number): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count++;
  return count;
}
