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

/** Each half of the hash of two words, in any order. */
export const pairLow = (first: number, second: number): number => mixLow(first + second, SPACE);
export const pairHigh = (first: number, second: number): number => mixHigh(first + second, SPACE);
const SPACE = 32;

/**
 * Numbers texts by their 64-bit hashes, in the order of `add`. It keeps no text: an index of words needs a tenth of the
 * memory, and contains nothing that a model could read. Two texts with one hash count as one, which only moves a rank.
 */
export class TermTable {
  size = 0;
  /** In shards, because growing all slots at once would take too long. */
  readonly #shards: Int32Array[] = Array.from({ length: SHARDS }, () => new Int32Array(16 * SLOT));
  readonly #sizes = new Uint32Array(SHARDS);

  /** Returns the number of a text, or -1. */
  find(low: number, high: number): number {
    const slots = this.#shards[high >>> SHARD_SHIFT]!;
    return slots[slotOf(slots, low, high) + 2]! - 1;
  }

  /** Returns the number of a text, which may be new. */
  add(low: number, high: number): number {
    const shard = high >>> SHARD_SHIFT;
    const slots = this.#shards[shard]!;
    const slot = slotOf(slots, low, high);
    const known = slots[slot + 2]!;
    if (known !== 0) return known - 1;
    slots[slot] = low;
    slots[slot + 1] = high;
    slots[slot + 2] = ++this.size;
    if (++this.#sizes[shard]! * SLOT * 3 > slots.length * 2) this.#shards[shard] = grow(slots);
    return this.size - 1;
  }

  /** Returns the halves of the hashes, by number. */
  hashes(): { readonly lows: Int32Array; readonly highs: Int32Array } {
    const lows = new Int32Array(this.size);
    const highs = new Int32Array(this.size);
    for (const slots of this.#shards) {
      for (let slot = 0; slot < slots.length; slot += SLOT) {
        const id = slots[slot + 2]! - 1;
        if (id < 0) continue;
        lows[id] = slots[slot]!;
        highs[id] = slots[slot + 1]!;
      }
    }
    return { lows, highs };
  }
}

const SHARD_SHIFT = 26;
const SHARDS = 1 << (32 - SHARD_SHIFT);
/** A slot has both halves of a hash and the number of the text plus one: a lookup mostly reads one place in memory. */
const SLOT = 3;

/** Returns where the slot of a text is, or the free one where it belongs. */
function slotOf(slots: Int32Array, low: number, high: number): number {
  const mask = slots.length / SLOT - 1;
  let place = (low ^ (low >>> 15) ^ high) & mask;
  for (;;) {
    const slot = place * SLOT;
    if (slots[slot + 2] === 0 || (slots[slot] === low && slots[slot + 1] === high)) return slot;
    place = (place + 1) & mask;
  }
}

function grow(slots: Int32Array): Int32Array {
  const grown = new Int32Array(slots.length * 2);
  for (let slot = 0; slot < slots.length; slot += SLOT) {
    if (slots[slot + 2] === 0) continue;
    const place = slotOf(grown, slots[slot]!, slots[slot + 1]!);
    for (let at = 0; at < SLOT; at++) grown[place + at] = slots[slot + at]!;
  }
  return grown;
}
