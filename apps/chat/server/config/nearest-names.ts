/** Names that a word probably meant, nearest first: those within a typo or two, and those that contain it. */
export function nearestNames(word: string, names: Iterable<string>, most = 3): readonly string[] {
  const wanted = word.toLowerCase();
  return [...new Set(names)]
    .map((name) => ({ name, slips: slipsBetween(wanted, name.toLowerCase()) }))
    .filter(({ name, slips }) => slips <= Math.max(1, Math.floor(wanted.length / 3)) || hasPart(name, wanted))
    .sort((one, other) => one.slips - other.slips)
    .slice(0, most)
    .map(({ name }) => name);
}

function hasPart(name: string, word: string): boolean {
  return word.length > 2 && name.toLowerCase().includes(word);
}

/** The number of wrong, missing, extra or swapped letters. */
function slipsBetween(one: string, other: string): number {
  if (Math.max(one.length, other.length) > LONGEST) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : LONGEST,
      );
    }
    before = last;
    last = next;
  }
  return last[other.length] ?? 0;
}

/** Names are never longer, so a longer word is not a typo. */
const LONGEST = 64;
