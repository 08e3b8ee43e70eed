/** Lines that change, with up to three lines around them. */
export interface Hunk {
  /** The number of the first line before and after the change, from 1. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly LineChange[];
}

export interface LineChange {
  /** Kept, removed or added. */
  readonly kind: " " | "-" | "+";
  readonly line: string;
}

/** Compares two texts line by line. Returns nothing if they are equal. */
export function diffLines(before: string, after: string): readonly Hunk[] {
  if (before === after) return [];
  const changes = compareLines(linesOf(before), linesOf(after));
  const countBefore = (end: number, not: LineChange["kind"]) =>
    changes.slice(0, end).filter(({ kind }) => kind !== not).length;
  return rangesOf(changes).map(({ start, end }) => ({
    oldStart: countBefore(start, "+") + 1,
    newStart: countBefore(start, "-") + 1,
    lines: changes.slice(start, end),
  }));
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/(?:\r\n|\r|\n)$/, "").split(/\r\n|\r|\n/);
}

/** Beyond this many comparisons, the difference is shown as one replacement. */
const MOST_COMPARISONS = 1_000_000;

function compareLines(before: readonly string[], after: readonly string[]): LineChange[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let same = 0;
  while (same < Math.min(before.length, after.length) - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  const mark = (kind: LineChange["kind"], lines: readonly string[]) =>
    lines.map((line): LineChange => ({ kind, line }));
  const [old, fresh] = [before.slice(start, before.length - same), after.slice(start, after.length - same)];
  const middle =
    old.length * fresh.length > MOST_COMPARISONS ? [...mark("-", old), ...mark("+", fresh)] : alignLines(old, fresh);
  return [...mark(" ", before.slice(0, start)), ...middle, ...mark(" ", before.slice(before.length - same))];
}

/** Keeps the longest common sequence of lines. */
function alignLines(before: readonly string[], after: readonly string[]): LineChange[] {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const isSame = before[row] === after[column];
      lengths[row * width + column] = isSame
        ? lengthAt(row + 1, column + 1) + 1
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const changes: LineChange[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, fresh] = [before[row], after[column]];
    if (old !== undefined && old === fresh) {
      changes.push({ kind: " ", line: old });
      row++;
      column++;
    } else if (old !== undefined && (fresh === undefined || lengthAt(row + 1, column) >= lengthAt(row, column + 1))) {
      changes.push({ kind: "-", line: old });
      row++;
    } else {
      changes.push({ kind: "+", line: fresh ?? "" });
      column++;
    }
  }
  return changes;
}

const CONTEXT = 3;

/** The changes with the lines around them. Changes whose contexts overlap form one range. */
function rangesOf(changes: readonly LineChange[]): Range[] {
  const ranges: Range[] = [];
  for (const [index, { kind }] of changes.entries()) {
    if (kind === " ") continue;
    const [start, end] = [Math.max(index - CONTEXT, 0), Math.min(index + CONTEXT + 1, changes.length)];
    const last = ranges.at(-1);
    if (last !== undefined && start <= last.end) ranges[ranges.length - 1] = { start: last.start, end };
    else ranges.push({ start, end });
  }
  return ranges;
}

interface Range {
  readonly start: number;
  readonly end: number;
}
