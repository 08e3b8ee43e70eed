/** Keeps the messages of each session in order while some of them need work. Sessions do not wait for each other. */
export class Lanes {
  readonly #busy = new Map<string, { readonly done: Promise<void>; readonly stop: AbortController }>();
  readonly #most: number;
  #size = 0;

  /** With more than `most` bytes waiting, `run` waits. */
  constructor(most: number) {
    this.#most = most;
  }

  isBusy(lane: string): boolean {
    return this.#busy.has(lane);
  }

  /** Does the work after what is ahead of it in the lane. Resolves when there is room for more. */
  async run(lane: string, size: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stop = new AbortController();
    this.#size += size;
    const done = (this.#busy.get(lane)?.done ?? Promise.resolve())
      .then(() => work(stop.signal))
      .finally(() => {
        this.#size -= size;
        if (this.#busy.get(lane)?.done === done) this.#busy.delete(lane);
      });
    this.#busy.set(lane, { done, stop });
    if (this.#size > this.#most) await done;
  }

  /** Stops the newest work of a lane. */
  stop(lane: string): void {
    this.#busy.get(lane)?.stop.abort();
  }

  async idle(): Promise<void> {
    await Promise.all([...this.#busy.values()].map(({ done }) => done));
  }
}
