import { setImmediate } from "node:timers/promises";

/** Lets other work run every few milliseconds: reading in slices is far quicker than awaiting each file. */
export class Pause {
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: ((found: number) => void) | undefined;
  #due = performance.now() + SLICE;

  constructor(signal: AbortSignal | undefined, onProgress: ((found: number) => void) | undefined) {
    this.#signal = signal;
    this.#onProgress = onProgress;
  }

  isDue(): boolean {
    return performance.now() > this.#due;
  }

  async take(found: number): Promise<void> {
    this.#onProgress?.(found);
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#due = performance.now() + SLICE;
  }
}

const SLICE = 12;
