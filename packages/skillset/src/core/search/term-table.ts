// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.

/** The hash of an empty text. It is random, so that no author can write words whose hashes fall into one slot. */
export interface HashSeed {
  readonly low: number;
  readonly high: number;
}

export function randomSeed(): HashSeed {
  const [low = 0, high = 0] = crypto.getRandomValues(new Int32Array(2));
  return { low, high };
}

/** Adds a character code to each half of a hash. */
export const mixLow = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
export const mixHigh = (hash: number, code: number): number => Math.imul(hash ^ code, 0x85ebca6b) ^ (hash >>> 15);

/**
 * Numbers texts by their 64-bit hashes, in the order of `add`. It keeps no text: an index of words needs a tenth of the
 * memory, and contains nothing that a model could read. Two texts with one hash count as one, which only moves a rank.
 */
export class TermTable {
  size = 0;
  #lows = new Int32Array(1024);
  #highs = new Int32Array(1024);
  /** Slots with the number of a text plus one, in shards: growing all at once would take too long. */
  readonly #shards = Array.from({ length: SHARDS }, () => new Uint32Array(16));
  readonly #sizes = new Uint32Array(SHARDS);

  /** Returns the number of a text, or -1. */
  find(low: number, high: number): number {
    const slots = this.#shards[high >>> SHARD_SHIFT]!;
    return slots[this.#slotOf(slots, low, high)]! - 1;
  }

  /** Returns the number of a text, which may be new. */
  add(low: number, high: number): number {
    const shard = high >>> SHARD_SHIFT;
    const slots = this.#shards[shard]!;
    const slot = this.#slotOf(slots, low, high);
    if (slots[slot] !== 0) return slots[slot]! - 1;
    if (this.size === this.#lows.length) this.#grow();
    const id = this.size++;
    this.#lows[id] = low;
    this.#highs[id] = high;
    slots[slot] = id + 1;
    if (++this.#sizes[shard]! * 2 > slots.length) this.#growShard(shard);
    return id;
  }

  /** The halves of the hashes, by number. */
  get lows(): Int32Array {
    return this.#lows.subarray(0, this.size);
  }

  get highs(): Int32Array {
    return this.#highs.subarray(0, this.size);
  }

  /** The slot of a text, or the free one where it belongs. */
  #slotOf(slots: Uint32Array, low: number, high: number): number {
    const mask = slots.length - 1;
    for (let slot = (low ^ (low >>> 15) ^ high) & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot]!;
      if (id === 0 || (this.#lows[id - 1] === low && this.#highs[id - 1] === high)) return slot;
    }
  }

  #grow(): void {
    const [lows, highs] = [this.#lows, this.#highs];
    this.#lows = new Int32Array(lows.length * 2);
    this.#highs = new Int32Array(highs.length * 2);
    this.#lows.set(lows);
    this.#highs.set(highs);
  }

  #growShard(shard: number): void {
    const before = this.#shards[shard]!;
    const slots = new Uint32Array(before.length * 2);
    this.#shards[shard] = slots;
    for (const id of before) {
      if (id !== 0) slots[this.#slotOf(slots, this.#lows[id - 1]!, this.#highs[id - 1]!)] = id;
    }
  }
}

const SHARD_SHIFT = 26;
const SHARDS = 1 << (32 - SHARD_SHIFT);
