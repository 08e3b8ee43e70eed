// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.

import type { TimeSlices } from "../base/time-slices.ts";
import { type DocumentNumbers, documentNumbers, encodeCount } from "./posting-numbers.ts";
import type { TermVector } from "./term-counter.ts";
import type { TermTable } from "./term-table.ts";

/**
 * A part of the index that never changes. Term `t` is in the documents at `starts[t]` up to `starts[t + 1]`, in
 * ascending order. A document is a skill, numbered within its segment.
 */
export interface Segment {
  readonly size: number;
  readonly terms: TermTable;
  readonly starts: Uint32Array;
  readonly documents: DocumentNumbers;
  /** As codes. */
  readonly counts: Uint16Array;
}

/** Collects documents, and turns terms by document into documents by term. */
export class SegmentBuilder {
  #pages: Page[] = [];
  #size = 0;
  #length = 0;

  add({ terms, counts }: TermVector): void {
    let page = this.#pages.at(-1);
    if (page === undefined || page.length + terms.length > page.terms.length) {
      const room = Math.max(PAGE, terms.length);
      page = { terms: new Uint32Array(room), counts: new Uint16Array(room), sizes: [], length: 0 };
      this.#pages.push(page);
    }
    page.terms.set(terms, page.length);
    for (let at = 0; at < counts.length; at++) page.counts[page.length + at] = encodeCount(counts[at]!);
    page.sizes.push(terms.length);
    page.length += terms.length;
    this.#length += terms.length;
    this.#size++;
  }

  /** Returns the segment. Its builder is empty then: the pages are dropped one by one, to need less memory at a time. */
  async finish(terms: TermTable, slices: TimeSlices): Promise<Segment> {
    const next = new Uint32Array(terms.size);
    for (const page of this.#pages) {
      countHolders(page, next);
      if (slices.isOver()) await slices.next();
    }
    const starts = toStarts(next, terms.size);
    next.set(starts.subarray(0, terms.size));
    const documents = new (documentNumbers(this.#size))(this.#length);
    const counts = new Uint16Array(this.#length);
    const segment = { size: this.#size, terms, starts, documents, counts };
    for (let page = this.#pages.shift(), first = 0; page !== undefined; page = this.#pages.shift()) {
      placeDocuments(page, first, next, segment);
      first += page.sizes.length;
      if (slices.isOver()) await slices.next();
    }
    return segment;
  }
}

/** Returns where the documents of each term start, from how many it has. */
export function toStarts(holders: Uint32Array, termCount: number): Uint32Array {
  const starts = new Uint32Array(termCount + 1);
  for (let term = 0; term < termCount; term++) starts[term + 1] = starts[term]! + holders[term]!;
  return starts;
}

/** The terms of some documents, one after another. */
interface Page {
  readonly terms: Uint32Array;
  readonly counts: Uint16Array;
  /** How many terms each document has. */
  readonly sizes: number[];
  length: number;
}

/** So many terms are placed within a millisecond. */
const PAGE = 1 << 14;

function countHolders({ terms, length }: Page, holders: Uint32Array): void {
  for (let at = 0; at < length; at++) holders[terms[at]!]!++;
}

function placeDocuments({ terms, counts, sizes }: Page, first: number, next: Uint32Array, segment: Segment): void {
  let at = 0;
  for (let document = 0; document < sizes.length; document++) {
    for (const end = at + sizes[document]!; at < end; at++) {
      const place = next[terms[at]!]!++;
      segment.documents[place] = first + document;
      segment.counts[place] = counts[at]!;
    }
  }
}
