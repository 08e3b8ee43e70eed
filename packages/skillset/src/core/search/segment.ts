// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.
import type { TermVector } from "./term-counter.ts";
import type { TermTable } from "./term-table.ts";
import type { TimeSlices } from "./time-slices.ts";

/**
 * A part of the index that never changes. Term `t` is in the documents at `starts[t]` up to `starts[t + 1]`, in
 * ascending order. A document is a skill, numbered within its segment.
 */
export interface Segment {
  readonly size: number;
  readonly terms: TermTable;
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
  readonly counts: Float32Array;
}

/** Turns terms by document into documents by term. Empties `vectors`, so that their memory is free early. */
export async function createSegment(
  terms: TermTable,
  vectors: (TermVector | undefined)[],
  slices: TimeSlices,
): Promise<Segment> {
  const { size } = terms;
  const starts = new Uint32Array(size + 1);
  for (const vector of vectors) {
    for (const term of vector!.terms) starts[term + 1]!++;
    if (slices.isOver()) await slices.next();
  }
  for (let term = 0; term < size; term++) starts[term + 1]! += starts[term]!;
  const documents = new Uint32Array(starts[size]!);
  const counts = new Float32Array(starts[size]!);
  const next = starts.slice();
  for (const [document, vector] of vectors.entries()) {
    for (let at = 0; at < vector!.terms.length; at++) {
      const place = next[vector!.terms[at]!]!++;
      documents[place] = document;
      counts[place] = vector!.counts[at]!;
    }
    vectors[document] = undefined;
    if (slices.isOver()) await slices.next();
  }
  return { size: vectors.length, terms, starts, documents, counts };
}
