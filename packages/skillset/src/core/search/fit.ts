/**
 * Returns the score that a skill needs for a perfect fit: the sum of the rarities of the query's rarest words. Only few
 * words count, because a long request says more than any skill repeats.
 */
export function perfectScore(rarities: readonly number[]): number {
  const rarest = rarities.toSorted((a, b) => b - a).slice(0, DECISIVE_WORDS);
  return rarest.reduce((sum, rarity) => sum + rarity, 0);
}

const DECISIVE_WORDS = 3;
