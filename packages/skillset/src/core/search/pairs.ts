import { hashTerm } from "./term-counter.ts";
import { type HashSeed, pairHigh, pairLow } from "./term-table.ts";
import { formsPairs, splitWords, toTerm } from "./words.ts";

/** Returns the hashes of the different pairs of neighbouring words of a query. */
export function pairsOf(query: string, seed: HashSeed): Iterable<HashSeed> {
  const pairs = new Map<string, HashSeed>();
  let before: HashSeed | undefined;
  for (const word of splitWords(query)) {
    const hash = formsPairs(word) ? hashTerm(toTerm(word), seed) : undefined;
    if (before && hash) {
      const pair = { low: pairLow(before.low, hash.low), high: pairHigh(before.high, hash.high) };
      pairs.set(`${pair.low} ${pair.high}`, pair);
    }
    before = hash;
  }
  return pairs.values();
}
