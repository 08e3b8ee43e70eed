export type Random = ReturnType<typeof createRandom>;

/** Random choices that are the same for the same seed. */
export function createRandom(seed: number) {
  let state = seed >>> 0;

  /** A number from 0 up to, but not including, 1 (mulberry32). */
  function unit(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const below = (limit: number): number => Math.floor(unit() * limit);

  return {
    below,
    chance: (share: number): boolean => unit() < share,
    /** Returns true in exactly this share of its calls, because `chance` is too noisy for rare events. */
    quota(share: number): () => boolean {
      let due = unit();
      return () => {
        due += share;
        if (due < 1) return false;
        due -= 1;
        return true;
      };
    },
    pick: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item,
    lognormal({ median, p99, most }: Spread): number {
      const sigma = Math.log(p99 / median) / 2.326;
      const normal = Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
      return Math.min(Math.round(median * Math.exp(sigma * normal)), most);
    },
  };
}

export type Spread = { readonly median: number; readonly p99: number; readonly most: number };
