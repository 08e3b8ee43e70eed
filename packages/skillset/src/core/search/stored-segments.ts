// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.

import type { TimeSlices } from "../base/time-slices.ts";
import { mergeSegments } from "./merge-segments.ts";
import type { Segment } from "./segment.ts";

/** The words of one skill in a segment. A merge moves it to another segment. */
export interface IndexedDocument {
  /** When a list last contained it, as a number of lists. */
  usedAt: number;
  segment: StoredSegment | undefined;
  number: number;
}

export interface StoredSegment {
  readonly segment: Segment;
  readonly documents: readonly IndexedDocument[];
}

/**
 * Merges segments of similar size, so that there are few of them and each document is merged rarely, and rewrites those
 * whose documents are mostly unused. Segments that a list already has stay as they are.
 */
export async function tidySegments(
  stored: readonly StoredSegment[],
  isUsed: (document: IndexedDocument) => boolean,
  slices: TimeSlices,
): Promise<StoredSegment[]> {
  const usedIn = (group: readonly StoredSegment[]): number =>
    group.reduce((sum, { documents }) => sum + documents.filter(isUsed).length, 0);
  const groups: StoredSegment[][] = [];
  for (const one of stored) {
    let group = [one];
    while (groups.length > 0 && usedIn(groups.at(-1)!) <= 2 * usedIn(group)) group = [...groups.pop()!, ...group];
    groups.push(group);
  }
  const tidied: StoredSegment[] = [];
  for (const group of groups) {
    const used = usedIn(group);
    if (used === 0) continue;
    const [first] = group;
    if (group.length === 1 && used * 2 >= first!.documents.length) tidied.push(first!);
    else tidied.push(adopt(await mergeDocuments(group, isUsed, slices)));
  }
  return tidied;
}

/** Returns one segment with the chosen documents of several. */
async function mergeDocuments(
  stored: readonly StoredSegment[],
  isChosen: (document: IndexedDocument) => boolean,
  slices: TimeSlices,
): Promise<StoredSegment> {
  const documents: IndexedDocument[] = [];
  const parts = stored.map(({ segment, documents: all }) => ({
    segment,
    numbers: Int32Array.from(all, (document) => (isChosen(document) ? documents.push(document) - 1 : -1)),
  }));
  const [only] = stored;
  if (parts.length === 1 && documents.length === only!.documents.length) return { segment: only!.segment, documents };
  return { segment: await mergeSegments(parts, documents.length, slices), documents };
}

/** Moves the documents to the segment. */
export function adopt(stored: StoredSegment): StoredSegment {
  for (const [number, document] of stored.documents.entries()) {
    document.segment = stored;
    document.number = number;
  }
  return stored;
}
