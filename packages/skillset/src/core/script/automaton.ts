/**
 * Finds many patterns in one pass over a text (Aho and Corasick).
 *
 * A state is the longest start of a pattern that the text ends with. Patterns are sorted, and each adds the states that
 * it does not share with the one before it, in a row: the state after `n` is mostly `n + 1`, and only branches need a
 * map. This takes 12 bytes for each state.
 */
export class Automaton {
  /** How long each pattern is, in the order of their texts. */
  readonly lengths: Uint32Array;
  /** The position of each pattern among the given ones. */
  readonly given: Uint32Array;
  /** How many characters each pattern shares with the one before it. */
  readonly #shared: Uint32Array;
  /** The first state that each pattern added. */
  readonly #added: Uint32Array;
  /** The character that leads to each state, with the flags below. */
  readonly #units: Uint32Array;
  readonly #branches = new Map<number, Map<number, number>>();
  /** The states for the next shorter start. */
  readonly #falls: Uint32Array;
  /** The longest pattern that the text ends with in each state, plus one. Zero is none. */
  readonly #whole: Uint32Array;

  constructor(patterns: readonly string[]) {
    const order = patterns.map((text, index) => ({ text, index }));
    order.sort((a, b) => (a.text < b.text ? -1 : 1));
    const texts = order.map(({ text }) => text);
    this.given = Uint32Array.from(order, ({ index }) => index);
    this.lengths = Uint32Array.from(texts, ({ length }) => length);
    this.#shared = Uint32Array.from(texts, (text, index) => sharedLength(texts[index - 1] ?? "", text));
    this.#added = new Uint32Array(texts.length);
    const size = this.lengths.reduce((sum, length, index) => sum + length - at(this.#shared, index), 1);
    this.#units = new Uint32Array(size + 1);
    // Nothing follows the last state.
    this.#units[size] = BEGINS;
    this.#falls = new Uint32Array(size);
    this.#whole = new Uint32Array(size);
    this.#addStates(texts);
    this.#connect(size);
  }

  get isEmpty(): boolean {
    return this.lengths.length === 0;
  }

  /** The state after one more character. Zero is the state in which nothing matches. */
  next(state: number, unit: number): number {
    let from = state;
    for (;;) {
      if (((this.#units[from + 1] as number) & ~BRANCHES) === unit) return from + 1;
      if (((this.#units[from] as number) & BRANCHES) !== 0) {
        const to = this.#branches.get(from)?.get(unit);
        if (to !== undefined) return to;
      }
      if (from === 0) return 0;
      from = this.#falls[from] as number;
    }
  }

  /** Whether the text ends with a pattern. */
  isWhole(state: number): boolean {
    return this.#whole[state] !== 0;
  }

  /** The patterns that the text ends with. */
  *wholes(state: number): Generator<number> {
    for (let found = at(this.#whole, state); found !== 0; ) {
      yield found - 1;
      found = at(this.#whole, at(this.#falls, this.#lastState(found - 1)));
    }
  }

  /** The patterns that the text ends with the start of, with the length of the start, longest first. */
  *starts(state: number): Generator<readonly [pattern: number, length: number]> {
    for (let from = state; from !== 0; from = at(this.#falls, from)) {
      const first = this.#adderOf(from);
      const length = from - at(this.#added, first) + at(this.#shared, first) + 1;
      yield [first, length];
      for (let one = first + 1; one < this.lengths.length && at(this.#shared, one) >= length; one++)
        yield [one, length];
    }
  }

  #addStates(texts: readonly string[]): void {
    const path = new Uint32Array(this.lengths.reduce((longest, length) => Math.max(longest, length), 0) + 1);
    let state = 0;
    for (const [pattern, text] of texts.entries()) {
      const shared = at(this.#shared, pattern);
      this.#added[pattern] = state + 1;
      for (let index = shared; index < text.length; index++) {
        this.#units[++state] = text.charCodeAt(index);
        path[index + 1] = state;
      }
      // The first pattern continues the state of nothing.
      if (pattern > 0) this.#addBranch(at(path, shared), at(this.#added, pattern), text.charCodeAt(shared));
    }
  }

  #addBranch(from: number, to: number, unit: number): void {
    // A pattern that begins with all of the one before it needs no branch.
    if (to === from + 1) return;
    const branches = this.#branches.get(from) ?? new Map<number, number>();
    this.#branches.set(from, branches.set(unit, to));
    this.#units[from] = at(this.#units, from) | BRANCHES;
    this.#units[to] = unit | BEGINS;
  }

  /** Sets where each state falls, shorter starts first. */
  #connect(size: number): void {
    for (let pattern = 0; pattern < this.lengths.length; pattern++) this.#whole[this.#lastState(pattern)] = pattern + 1;
    const queue = new Uint32Array(size);
    let end = 1;
    const add = (from: number, to: number, unit: number): void => {
      const fall = from === 0 ? 0 : this.next(at(this.#falls, from), unit);
      this.#falls[to] = fall;
      if (this.#whole[to] === 0) this.#whole[to] = at(this.#whole, fall);
      queue[end++] = to;
    };
    for (let index = 0; index < end; index++) {
      const from = at(queue, index);
      const unit = at(this.#units, from + 1);
      if ((unit & BEGINS) === 0) add(from, from + 1, unit & ~BRANCHES);
      for (const [one, to] of this.#branches.get(from) ?? []) add(from, to, one);
    }
  }

  #lastState(pattern: number): number {
    return at(this.#added, pattern) + at(this.lengths, pattern) - at(this.#shared, pattern) - 1;
  }

  /** The pattern that added a state. */
  #adderOf(state: number): number {
    let low = 0;
    for (let high = this.#added.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (at(this.#added, middle) <= state) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** Marks a state that does not continue the one before it. */
const BEGINS = 1 << 16;
/** Marks a state that more than one can follow. */
const BRANCHES = 1 << 17;

function at(list: Uint32Array, index: number): number {
  return list[index] as number;
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}
