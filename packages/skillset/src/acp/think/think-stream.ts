import { LIMITS } from "../../core/base/limits.ts";
import type { ThinkEvent, ThinkEventType } from "../plan/think-event.ts";

/** The events of a run, and its result. To stop taking events is not to cancel: that is what the signal is for. */
export class ThinkStream<Result, Type extends ThinkEventType = ThinkEventType>
  implements AsyncIterable<Extract<ThinkEvent, { type: Type }>>
{
  /** Settles with the run, whether or not anybody takes the events. */
  readonly result: Promise<Result>;
  readonly #include: ReadonlySet<string> | undefined;
  #pending: PendingEvent[] = [];
  #weight = 0;
  #dropped = 0;
  #isOver = false;
  /** Resolved, and replaced, when there is something new. */
  #news = Promise.withResolvers<void>();

  constructor(start: (emit: (event: ThinkEvent) => void) => Promise<Result>, include?: readonly Type[]) {
    this.#include = include && new Set(include);
    this.result = start((event) => this.#add(event));
    const end = (): void => {
      this.#isOver = true;
      this.#news.resolve();
    };
    // Whoever only takes the events learns of a failure there.
    this.result.then(end, end);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Extract<ThinkEvent, { type: Type }>, void, undefined> {
    while (true) {
      for (const event of this.#take()) yield event as Extract<ThinkEvent, { type: Type }>;
      if (this.#pending.length > 0) continue;
      if (this.#isOver) break;
      await this.#news.promise;
    }
    await this.result;
  }

  /** One at a time, so that a loop that ends early leaves the rest to the next one. */
  *#take(): Generator<ThinkEvent> {
    if (this.#dropped > 0 && this.#include?.has("events-dropped") !== false) {
      const count = this.#dropped;
      this.#dropped = 0;
      yield { type: "events-dropped", count };
    }
    const batch = this.#pending;
    this.#hold([]);
    let taken = 0;
    try {
      for (const { event } of batch) {
        taken += 1;
        yield event;
      }
    } finally {
      if (taken < batch.length) this.#hold([...batch.slice(taken), ...this.#pending]);
    }
  }

  #add(event: ThinkEvent): void {
    if (this.#include?.has(event.type) === false) return;
    const weight = JSON.stringify(event).length;
    this.#pending.push({ event, weight });
    this.#weight += weight;
    if (this.#pending.length > LIMITS.agent.pendingEvents || this.#weight > LIMITS.agent.pendingCharacters)
      this.#dropOldest();
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  /** Half of them, so that it is done seldom; the newest always stays. */
  #dropOldest(): void {
    let [from, weight] = [this.#pending.length - 1, this.#pending.at(-1)?.weight ?? 0];
    while (from > this.#pending.length - LIMITS.agent.pendingEvents / 2) {
      weight += this.#pending[from - 1]?.weight ?? 0;
      if (weight > LIMITS.agent.pendingCharacters / 2) break;
      from -= 1;
    }
    this.#dropped += from;
    this.#hold(this.#pending.slice(from));
  }

  #hold(pending: PendingEvent[]): void {
    this.#pending = pending;
    this.#weight = pending.reduce((sum, { weight }) => sum + weight, 0);
  }
}

interface PendingEvent {
  readonly event: ThinkEvent;
  /** How many characters it has. */
  readonly weight: number;
}

/** An agent that floods, and a loop that does not keep up, must not fill the memory. */
