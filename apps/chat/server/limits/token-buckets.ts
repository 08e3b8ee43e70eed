/**
 * How often each client may do something: everyone has a bucket of tokens that fills evenly over a minute, and each time
 * takes one. A client that waited has a minute's worth to spend at once.
 */
export class TokenBuckets {
  readonly #size: number;
  readonly #now: () => number;
  /** Oldest use first. */
  readonly #buckets = new Map<string, { readonly tokens: number; readonly at: number }>();

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#size = perMinute;
    this.#now = now;
  }

  /** How many clients are remembered. */
  get clients(): number {
    return this.#buckets.size;
  }

  /** Takes a token, or says in how many seconds there is one. */
  take(client: string): { readonly outcome: "taken" } | { readonly outcome: "empty"; readonly seconds: number } {
    const now = this.#now();
    const before = this.#buckets.get(client) ?? { tokens: this.#size, at: now };
    const perMillisecond = this.#size / 60_000;
    const tokens = Math.min(this.#size, before.tokens + (now - before.at) * perMillisecond);
    const isTaken = tokens >= 1;
    this.#remember(client, { tokens: isTaken ? tokens - 1 : tokens, at: now });
    if (isTaken) return { outcome: "taken" };
    return { outcome: "empty", seconds: Math.ceil((1 - tokens) / perMillisecond / 1000) };
  }

  #remember(client: string, bucket: { readonly tokens: number; readonly at: number }): void {
    this.#buckets.delete(client);
    this.#buckets.set(client, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > REMEMBERED && oldest !== undefined) this.#buckets.delete(oldest);
  }
}

/** A bucket that is forgotten is full again, so forgetting the oldest harms nobody. */
const REMEMBERED = 10_000;
