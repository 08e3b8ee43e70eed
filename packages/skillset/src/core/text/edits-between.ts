/**
 * Counts the letters to add, remove, replace or swap with a neighbor. Returns undefined for more than a third of the
 * longer word.
 */
export function editsBetween(a: string, b: string): number | undefined {
  const most = Math.floor(Math.max(a.length, b.length) / 3);
  if (Math.abs(a.length - b.length) > most) return undefined;
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let edits = Math.min(at(previous, column) + 1, at(current, column - 1) + 1);
      edits = Math.min(edits, at(previous, column - 1) + (same ? 0 : 1));
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwapped) edits = Math.min(edits, at(older, column - 2) + 1);
      current.push(edits);
      least = Math.min(least, edits);
    }
    if (least > most) return undefined;
    [older, previous] = [previous, current];
  }
  const edits = at(previous, b.length);
  return edits <= most ? edits : undefined;
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
