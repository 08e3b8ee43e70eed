// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.

import type { TimeSlices } from "../base/time-slices.ts";
import { documentNumbers } from "./posting-numbers.ts";
import { type Segment, toStarts } from "./segment.ts";
import { TermTable } from "./term-table.ts";

/** A segment, and the number of each of its documents in the merged one, or -1 to leave it out. */
export interface MergedPart {
  readonly segment: Segment;
  /** Ascending within a part and from part to part. */
  readonly numbers: Int32Array;
}

/** Returns one segment with the documents of several. Reads no skill again. */
export async function mergeSegments(parts: readonly MergedPart[], size: number, slices: TimeSlices): Promise<Segment> {
  const terms = new TermTable();
  const next = new Uint32Array(parts.reduce((sum, { segment }) => sum + segment.terms.size, 0));
  const idsByPart = parts.map(({ segment }) => new Uint32Array(segment.terms.size));
  for (const [at, part] of parts.entries()) {
    const { lows, highs } = part.segment.terms.hashes();
    const ids = idsByPart[at]!;
    for (let term = 0; term < ids.length; term++) {
      if (term % AT_ONCE === 0 && slices.isOver()) await slices.next();
      const kept = countKept(part, term);
      if (kept === 0) continue;
      ids[term] = terms.add(lows[term]!, highs[term]!);
      next[ids[term]!]! += kept;
    }
  }
  const starts = toStarts(next, terms.size);
  next.set(starts.subarray(0, terms.size));
  const length = starts[terms.size]!;
  const merged = {
    size,
    terms,
    starts,
    documents: new (documentNumbers(size))(length),
    counts: new Uint16Array(length),
  };
  for (const [at, part] of parts.entries()) {
    const ids = idsByPart[at]!;
    for (let term = 0; term < ids.length; term++) {
      if (term % AT_ONCE === 0 && slices.isOver()) await slices.next();
      next[ids[term]!] = placeKept(part, term, next[ids[term]!]!, merged);
    }
  }
  return merged;
}

/** How many terms are merged between two looks at the clock. */
const AT_ONCE = 64;

function countKept({ segment: { starts, documents }, numbers }: MergedPart, term: number): number {
  let kept = 0;
  for (let at = starts[term]!; at < starts[term + 1]!; at++) if (numbers[documents[at]!]! >= 0) kept++;
  return kept;
}

/** Returns the place after the last. */
function placeKept({ segment, numbers }: MergedPart, term: number, place: number, merged: Segment): number {
  for (let at = segment.starts[term]!; at < segment.starts[term + 1]!; at++) {
    const number = numbers[segment.documents[at]!]!;
    if (number < 0) continue;
    merged.documents[place] = number;
    merged.counts[place++] = segment.counts[at]!;
  }
  return place;
}
