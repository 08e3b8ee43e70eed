import { LIMITS } from "../../core/base/limits.ts";
import type { LedgerEntry } from "../../core/session/ledger.ts";
import { type SkillUsage, usageOf } from "../../core/session/usage.ts";
import type { RunListener } from "../options/run-listener.ts";
import type { ThinkEvent, ThinkEventType } from "../options/think-event.ts";

/** The events of a run, and its result. Leaving the loop does not cancel the run; use a signal for that. */
export class ThinkStream<Result, Type extends ThinkEventType = ThinkEventType>
  implements AsyncIterable<Extract<ThinkEvent, { type: Type }>>
{
  /** Settles when the run ends, whether or not the events are consumed. */
  readonly result: Promise<Result>;
  readonly #include: ReadonlySet<string> | undefined;
  readonly #ledger: LedgerEntry[] = [];
  #pending: PendingEvent[] = [];
  #weight = 0;
  #dropped = 0;
  #isOver = false;
  /** Resolved and replaced whenever an event arrives. */
  #news = Promise.withResolvers<void>();

  constructor(start: (listener: RunListener) => Promise<Result>, include?: readonly Type[]) {
    this.#include = include && new Set(include);
    this.result = start({ emit: (event) => this.#add(event), record: (entry) => void this.#ledger.push(entry) });
    const end = (): void => {
      this.#isOver = true;
      this.#news.resolve();
    };
    // A caller that only consumes events gets the error from the iterator.
    this.result.then(end, end);
  }

  /** How often the run has used each skill so far, and how many tokens their instructions took. */
  get usage(): readonly SkillUsage[] {
    return usageOf(this.#ledger);
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

  /** Yields one event at a time, so that a loop that ends early leaves the rest for the next one. */
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

  /**
   * Bounds the memory if an agent floods and the consumer does not keep up. Drops half of the events, so that this
   * happens rarely. The newest event is always kept.
   */
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
  /** The event's length in characters. */
  readonly weight: number;
}
