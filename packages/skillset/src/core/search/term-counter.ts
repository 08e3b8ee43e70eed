// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.
import { FIELDS } from "./fields.ts";
import { type HashSeed, mixHigh, mixLow, pairHigh, pairLow, TermTable } from "./term-table.ts";
import { formsPairs, splitWords, toTerm } from "./words.ts";

export interface TermCounterOptions {
  /** Also counts the pairs of neighbouring words, as further terms. */
  readonly pairs: boolean;
}

/** The distinct terms of one skill, with how often they occur, weighted by field. Valid until the next is counted. */
export interface TermVector {
  readonly terms: Uint32Array;
  readonly counts: Float32Array;
}

/**
 * Counts the terms of many skills. Texts are cut where words cannot continue, and each different piece is split into
 * words once: after that, a piece costs a hash and a lookup instead of strings.
 */
export class TermCounter {
  readonly terms = new TermTable();
  readonly #seed: HashSeed;
  readonly #pairs: boolean;
  #pieces = new TermTable();
  /** The term of each piece, or the complement of a place in `#lists`. */
  #termOf = new Int32Array(1024);
  #lists: (readonly number[])[] = [];
  /** The halves of the hash of each term, for its pairs. Zero if it forms none. */
  #lows = new Int32Array(1024);
  #highs = new Int32Array(1024);
  /** Reused for every skill: the terms of a field in order, the terms of the skill, and the counts by term. */
  #field = new Uint32Array(4096);
  #fieldSize = 0;
  #found = new Uint32Array(4096);
  #foundCounts = new Float32Array(4096);
  #counts = new Float64Array(4096);

  constructor(seed: HashSeed, { pairs }: TermCounterOptions) {
    this.#seed = seed;
    this.#pairs = pairs;
  }

  /** Counts the terms of a skill, from its texts for each of the `FIELDS`. */
  count(texts: readonly string[]): TermVector {
    const steps = this.countInSteps(texts);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  }

  /** Does the same, and yields after each part of a long text. Only one skill can be counted at a time. */
  *countInSteps(texts: readonly string[]): Generator<void, TermVector> {
    let found = 0;
    for (const [at, { weight, lengthPenalty, usualWords, pairs }] of FIELDS.entries()) {
      const text = texts[at] ?? "";
      this.#fieldSize = 0;
      for (let start = 0; start < text.length; ) {
        start = this.#readPart(text, start);
        if (start < text.length) yield;
      }
      const words = this.#fieldSize;
      const share = weight / (1 - lengthPenalty + (lengthPenalty * words) / usualWords);
      if (this.#pairs && pairs) this.#addPairs();
      const size = this.#fieldSize;
      if (this.terms.size > this.#counts.length) this.#counts = grown(this.#counts, this.terms.size, Float64Array);
      if (found + size > this.#found.length) this.#found = grown(this.#found, found + size, Uint32Array);
      for (let word = 0; word < size; word++) {
        const term = this.#field[word]!;
        if (this.#counts[term] === 0) this.#found[found++] = term;
        this.#counts[term]! += share;
      }
    }
    if (found > this.#foundCounts.length) this.#foundCounts = new Float32Array(this.#found.length);
    for (let at = 0; at < found; at++) {
      const term = this.#found[at]!;
      this.#foundCounts[at] = this.#counts[term]!;
      this.#counts[term] = 0;
    }
    return { terms: this.#found.subarray(0, found), counts: this.#foundCounts.subarray(0, found) };
  }

  /** Returns the terms, and frees the memory for counting. No skill can be counted after it. */
  end(): TermTable {
    this.#pieces = new TermTable();
    this.#lists = [];
    this.#termOf = new Int32Array();
    this.#lows = new Int32Array();
    this.#highs = new Int32Array();
    this.#counts = new Float64Array();
    return this.terms;
  }

  /** Adds the pieces of a part of the text, and returns where the next part starts. */
  #readPart(text: string, first: number): number {
    const { low: firstLow, high: firstHigh } = this.#seed;
    let start = first;
    let low = firstLow;
    let high = firstHigh;
    for (let at = first; at <= text.length; at++) {
      const code = at < text.length ? text.charCodeAt(at) : 0;
      if ((code > 127 || IS_IN_PIECE[code] === 1) && at - start < LONGEST_PIECE) {
        low = mixLow(low, code);
        high = mixHigh(high, code);
        continue;
      }
      if (at > start) this.#addPiece(text, start, at, low, high);
      // A piece that is too long is cut, and the next one starts with this character.
      if (at - start === LONGEST_PIECE) start = at--;
      else start = at + 1;
      low = firstLow;
      high = firstHigh;
      if (start - first > PART) return start;
    }
    return text.length;
  }

  #addPiece(text: string, start: number, end: number, low: number, high: number): void {
    if (end - start > LONGEST_KEPT) {
      for (const term of this.#termsOf(text.slice(start, end))) this.#addTerm(term);
      return;
    }
    const known = this.#pieces.size;
    const piece = this.#pieces.add(low, high);
    if (piece === known) this.#learn(piece, text.slice(start, end));
    const term = this.#termOf[piece]!;
    if (term >= 0) this.#addTerm(term);
    else for (const one of this.#lists[~term]!) this.#addTerm(one);
  }

  #learn(piece: number, text: string): void {
    if (piece >= this.#termOf.length) this.#termOf = grown(this.#termOf, piece + 1, Int32Array);
    const terms = this.#termsOf(text);
    this.#termOf[piece] = terms.length === 1 ? terms[0]! : ~(this.#lists.push(terms) - 1);
  }

  #termsOf(text: string): number[] {
    return splitWords(text).map((word) => {
      const { low, high } = hashTerm(toTerm(word), this.#seed);
      const term = this.terms.add(low, high);
      if (this.#pairs) this.#keepHash(term, formsPairs(word) ? { low, high } : { low: 0, high: 0 });
      return term;
    });
  }

  #keepHash(term: number, { low, high }: HashSeed): void {
    if (term >= this.#lows.length) {
      this.#lows = grown(this.#lows, term + 1, Int32Array);
      this.#highs = grown(this.#highs, term + 1, Int32Array);
    }
    this.#lows[term] = low;
    this.#highs[term] = high;
  }

  /** Adds the pairs of a field after its words. */
  #addPairs(): void {
    const words = this.#fieldSize;
    for (let at = 1; at < words; at++) {
      const first = this.#field[at - 1]!;
      const second = this.#field[at]!;
      if (this.#lows[first] === 0 || this.#lows[second] === 0) continue;
      const low = pairLow(this.#lows[first]!, this.#lows[second]!);
      const high = pairHigh(this.#highs[first]!, this.#highs[second]!);
      this.#addTerm(this.terms.add(low, high));
    }
  }

  #addTerm(term: number): void {
    if (this.#fieldSize === this.#field.length) this.#field = grown(this.#field, this.#fieldSize + 1, Uint32Array);
    this.#field[this.#fieldSize++] = term;
  }
}

export function hashTerm(term: string, { low, high }: HashSeed): HashSeed {
  for (let at = 0; at < term.length; at++) {
    const code = term.charCodeAt(at);
    low = mixLow(low, code);
    high = mixHigh(high, code);
  }
  return { low, high };
}

/** So many characters are read before other work can run. */
const PART = 8 * 1024;
/** Longer pieces are cut: nobody searches for them, and splitting a megabyte at once would take too long. */
const LONGEST_PIECE = 16 * 1024;
/** Longer pieces are rarely words, and rarely seen twice. */
const LONGEST_KEPT = 40;
/** Letters and digits, and the three signs that a following accent can turn into another character (`≠`). */
const IS_IN_PIECE = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-zA-Z0-9<=>]/.test(String.fromCharCode(code)) ? 1 : 0,
);

function grown<Numbers extends Uint32Array | Int32Array | Float64Array>(
  numbers: Numbers,
  needed: number,
  Numbers: new (length: number) => Numbers,
): Numbers {
  const next = new Numbers(Math.max(needed, numbers.length * 2));
  next.set(numbers);
  return next;
}
