// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.
import type { Segment } from "./segment.ts";
import { TermTable } from "./term-table.ts";
import type { TimeSlices } from "./time-slices.ts";

/** A segment, and the number of each of its documents in the merged one, or -1 to leave it out. */
export interface MergedPart {
  readonly segment: Segment;
  /** Ascending within a part and from part to part. */
  readonly numbers: Int32Array;
}

/** Returns one segment with the documents of several. Reads no skill again. */
export async function mergeSegments(parts: readonly MergedPart[], size: number, slices: TimeSlices): Promise<Segment> {
  const terms = new TermTable();
  const holders = new Uint32Array(parts.reduce((sum, { segment }) => sum + segment.terms.size, 0));
  const idsByPart: Uint32Array[] = [];
  for (const { segment, numbers } of parts) {
    const { lows, highs } = segment.terms;
    const ids = new Uint32Array(lows.length);
    idsByPart.push(ids);
    for (let term = 0; term < lows.length; term++) {
      if (term % CHECKED === 0 && slices.isOver()) await slices.next();
      let kept = 0;
      for (let at = segment.starts[term]!; at < segment.starts[term + 1]!; at++) {
        if (numbers[segment.documents[at]!]! >= 0) kept++;
      }
      if (kept === 0) continue;
      ids[term] = terms.add(lows[term]!, highs[term]!);
      holders[ids[term]!]! += kept;
    }
  }
  const starts = new Uint32Array(terms.size + 1);
  for (let term = 0; term < terms.size; term++) starts[term + 1] = starts[term]! + holders[term]!;
  const next = starts.slice();
  const documents = new Uint32Array(starts[terms.size]!);
  const counts = new Float32Array(documents.length);
  for (const [part, { segment, numbers }] of parts.entries()) {
    const ids = idsByPart[part]!;
    for (let term = 0; term < ids.length; term++) {
      if (term % CHECKED === 0 && slices.isOver()) await slices.next();
      for (let at = segment.starts[term]!; at < segment.starts[term + 1]!; at++) {
        const number = numbers[segment.documents[at]!]!;
        if (number < 0) continue;
        const place = next[ids[term]!]!++;
        documents[place] = number;
        counts[place] = segment.counts[at]!;
      }
    }
  }
  return { size, terms, starts, documents, counts };
}

/** How many terms are merged between two looks at the clock. */
const CHECKED = 64;
