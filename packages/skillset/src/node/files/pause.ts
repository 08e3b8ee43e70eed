import { setImmediate } from "node:timers/promises";

/** Yields to other work every few milliseconds. Reading in slices is much faster than awaiting each file. */
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
