/** Returns the candidate that was most likely meant: the only one with this prefix, or the nearest one. */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  const beginning = candidates.filter((candidate) => word.length > 1 && candidate.startsWith(word));
  if (beginning.length === 1) return beginning[0];
  return nearestWords(word, candidates)[0];
}

/** Returns the candidates that differ in at most a third of their letters, nearest first. */
function nearestWords(word: string, candidates: readonly string[]): readonly string[] {
  const near = candidates.flatMap((candidate) => {
    const most = Math.floor(Math.max(word.length, candidate.length) / 3);
    if (Math.abs(word.length - candidate.length) > most) return [];
    const distance = distanceBetween(word.toLowerCase(), candidate);
    return distance <= most ? [{ candidate, distance }] : [];
  });
  return near.sort((a, b) => a.distance - b.distance).map(({ candidate }) => candidate);
}

/** Counts the letters to add, remove, replace or swap with a neighbor. */
function distanceBetween(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const replaced = at(previous, column - 1) + (same ? 0 : 1);
      let least = Math.min(at(previous, column) + 1, at(current, column - 1) + 1, replaced);
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, at(older, column - 2) + 1);
      current.push(least);
    }
    [older, previous] = [previous, current];
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
