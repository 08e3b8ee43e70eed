import type { ThinkEvent, ThinkEventType } from "./think-event.ts";

/** The events of a run, and its result. To stop taking events is not to cancel: that is what the signal is for. */
export class ThinkStream<Result, Type extends ThinkEventType = ThinkEventType>
  implements AsyncIterable<Extract<ThinkEvent, { type: Type }>>
{
  /** Settles with the run, whether or not anybody takes the events. */
  readonly result: Promise<Result>;
  readonly #include: ReadonlySet<string> | undefined;
  #pending: ThinkEvent[] = [];
  #dropped = 0;
  #isOver = false;
  #wake = Promise.withResolvers<void>();

  constructor(start: (emit: (event: ThinkEvent) => void) => Promise<Result>, include?: readonly Type[]) {
    this.#include = include && new Set(include);
    this.result = start((event) => this.#add(event));
    const end = (): void => {
      this.#isOver = true;
      this.#wake.resolve();
    };
    // Whoever only takes the events learns of a failure there.
    this.result.then(end, end);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Extract<ThinkEvent, { type: Type }>, void, undefined> {
    while (true) {
      for (const event of this.#take()) yield event as Extract<ThinkEvent, { type: Type }>;
      if (this.#pending.length > 0) continue;
      if (this.#isOver) break;
      this.#wake = Promise.withResolvers();
      await this.#wake.promise;
    }
    await this.result;
  }

  /** One at a time, so that a loop that ends early leaves the rest to the next one. */
  *#take(): Generator<ThinkEvent> {
    if (this.#dropped > 0) {
      const count = this.#dropped;
      this.#dropped = 0;
      yield { type: "events-dropped", count };
    }
    const batch = this.#pending;
    this.#pending = [];
    let taken = 0;
    try {
      for (const event of batch) {
        taken += 1;
        yield event;
      }
    } finally {
      if (taken < batch.length) this.#pending = [...batch.slice(taken), ...this.#pending];
    }
  }

  #add(event: ThinkEvent): void {
    if (this.#include?.has(event.type) === false) return;
    this.#pending.push(event);
    if (this.#pending.length > MAX_PENDING) {
      this.#dropped += this.#pending.length - MAX_PENDING / 2;
      this.#pending = this.#pending.slice(-MAX_PENDING / 2);
    }
    this.#wake.resolve();
  }
}

/** An agent that floods, and a loop that does not keep up, must not fill the memory. */
const MAX_PENDING = 20_000;
