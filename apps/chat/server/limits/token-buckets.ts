/**
 * A token bucket per client. A bucket refills evenly over a minute and each action takes one token, so an idle client
 * can spend a minute's worth at once.
 */
export class TokenBuckets {
  readonly #size: number;
  readonly #now: () => number;
  /** Least recently used first. */
  readonly #buckets = new Map<string, { readonly tokens: number; readonly at: number }>();

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#size = perMinute;
    this.#now = now;
  }

  /** The maximum number of buckets. */
  get clients(): number {
    return this.#buckets.size;
  }

  /** Takes a token, or returns the seconds until one is available. */
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

/** Removes the oldest buckets. A removed bucket starts full again, so no client loses tokens. */
const REMEMBERED = 10_000;
