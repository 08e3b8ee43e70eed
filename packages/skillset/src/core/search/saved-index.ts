// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.

import type { TimeSlices } from "../base/time-slices.ts";
import { VERSION } from "../base/version.ts";
import { changeMark } from "../skill/fingerprint.ts";
import { FIELDS } from "./fields.ts";
import { type DocumentNumbers, documentNumbers, isCountCode } from "./posting-numbers.ts";
import type { Segment } from "./segment.ts";
import { CrowdedTableError, type HashSeed, TermTable } from "./term-table.ts";

/** An index without its skills. It has hashes and numbers only: no name and no word of a skill can be read from it. */
export interface SavedIndex {
  readonly seed: HashSeed;
  readonly segment: Segment;
  /** The digest of the texts of each document. */
  readonly digests: readonly string[];
}

export async function encodeIndex({ seed, segment, digests }: SavedIndex, slices: TimeSlices): Promise<Uint8Array[]> {
  const { size, terms, starts, documents, counts } = segment;
  const header = Int32Array.of(...MARK, seed.low, seed.high, size, terms.size, documents.length);
  const hashes = new Uint8Array(size * HASH_BYTES);
  for (const [at, digest] of digests.entries()) {
    hashes.set(bytesOf(digest), at * HASH_BYTES);
    if (at % CHECKED === 0 && slices.isOver()) await slices.next();
  }
  const { lows, highs } = terms.hashes();
  return [header, hashes, lows, highs, starts, documents, counts].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
}

/**
 * Returns the index in the bytes, or why they have none. The bytes can come from anywhere: every number that a search
 * uses as a place is checked.
 */
export async function decodeIndex(bytes: Uint8Array, slices: TimeSlices): Promise<SavedIndex | string> {
  const reader = new NumberReader(bytes);
  const header = reader.next(Int32Array, MARK.length + 5);
  if (header === undefined) return CUT;
  if (MARK.some((value, at) => header[at] !== value)) return "it is not an index of this version of skillset";
  const [low, high, size, termCount, length] = header.subarray(MARK.length) as unknown as FiveNumbers;
  if (size < 0 || size > MOST_DOCUMENTS || termCount < 0 || length < 0) return DAMAGED;
  const hashes = reader.next(Uint8Array, size * HASH_BYTES);
  const lows = reader.next(Int32Array, termCount);
  const highs = reader.next(Int32Array, termCount);
  const starts = reader.next(Uint32Array, termCount + 1);
  const documents = reader.next<DocumentNumbers>(documentNumbers(size), length);
  const counts = reader.next(Uint16Array, length);
  if (!(hashes && lows && highs && starts && documents && counts && reader.isAtEnd)) return CUT;
  const terms = new TermTable();
  if (starts[0] !== 0 || starts[termCount] !== length) return DAMAGED;
  for (let term = 0; term < termCount; term++) {
    if (!isNext(terms, lows[term]!, highs[term]!) || starts[term]! >= starts[term + 1]!) return DAMAGED;
    if (starts[term + 1]! > length) return DAMAGED;
    for (let at = starts[term]!, before = -1; at < starts[term + 1]!; before = documents[at++]!) {
      if (documents[at]! <= before || documents[at]! >= size) return DAMAGED;
      if (!isCountCode(counts[at]!)) return DAMAGED;
    }
    if (term % CHECKED === 0 && slices.isOver()) await slices.next();
  }
  const digests: string[] = [];
  while (digests.length < size) {
    digests.push(digestAt(hashes, digests.length * HASH_BYTES));
    if (digests.length % CHECKED === 0 && slices.isOver()) await slices.next();
  }
  return { seed: { low, high }, segment: { size, terms, starts, documents, counts }, digests };
}

/** Adds a hash. Returns false if it was there already, or if too many hashes belong to its slot. */
function isNext(terms: TermTable, low: number, high: number): boolean {
  const { size } = terms;
  try {
    return terms.add(low, high) === size;
  } catch (error) {
    if (error instanceof CrowdedTableError) return false;
    throw error;
  }
}

type FiveNumbers = readonly [number, number, number, number, number];

/** Reads typed arrays one after another, without a copy. */
class NumberReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.byteLength;
  }

  next<Numbers>(
    Numbers: { new (buffer: ArrayBufferLike, start: number, length: number): Numbers; BYTES_PER_ELEMENT: number },
    length: number,
  ): Numbers | undefined {
    const start = this.#at;
    this.#at += length * Numbers.BYTES_PER_ELEMENT;
    if (this.#at > this.#bytes.byteLength) return undefined;
    return new Numbers(this.#bytes.buffer, this.#bytes.byteOffset + start, length);
  }
}

const CUT = "its length is wrong";
const DAMAGED = "its content is damaged";
const HASH_BYTES = 32;
const CHECKED = 64;
/** More than any set has. */
const MOST_DOCUMENTS = 1_000_000;

/** The first numbers of every index. Another version, weighting or order of bytes makes others. */
const MARK = halves(changeMark([VERSION, JSON.stringify(FIELDS)]));

function halves(hex: string): number[] {
  return [hex.slice(0, 8), hex.slice(8)].map((half) => Number.parseInt(half, 16) | 0);
}

/** The bytes of `sha256:` and hex digits. */
function bytesOf(digest: string): number[] {
  const hex = digest.slice(digest.indexOf(":") + 1);
  return Array.from({ length: HASH_BYTES }, (_, at) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16));
}

function digestAt(hashes: Uint8Array, start: number): string {
  const hash = hashes.subarray(start, start + HASH_BYTES);
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
