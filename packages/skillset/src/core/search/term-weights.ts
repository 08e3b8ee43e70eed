/** How rare a term is: the more skills have it, the less it counts. */
export function rarityOf(holders: number, librarySize: number): number {
  return Math.log(1 + (librarySize - holders + 0.5) / (holders + 0.5));
}

/** How much a term adds to the score of a skill. Each further occurrence adds less. */
export function weightOf(count: number, rarity: number): number {
  return Math.fround((rarity * count) / (count + SATURATION));
}

/** How much a pair of words counts, compared with a word. From 0.1 to 0.2 is equally good, more is worse. */
export const PAIR_SHARE = 0.1;

const SATURATION = 5;
