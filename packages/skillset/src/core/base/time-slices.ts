/** Splits long work into slices of a few milliseconds, so that timers and requests run in between. */
export class TimeSlices {
  readonly #signal: AbortSignal | undefined;
  #end = performance.now() + SLICE_MILLISECONDS;
  #pause: Promise<void> | undefined;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  isOver(): boolean {
    return this.#pause !== undefined || performance.now() >= this.#end;
  }

  /** Waits for the next slice. Throws if the work is aborted. */
  async next(): Promise<void> {
    // Several readers share one slice, so they share its pause too.
    this.#pause ??= new Promise((resume) => {
      setTimeout(() => {
        this.#pause = undefined;
        this.#end = performance.now() + SLICE_MILLISECONDS;
        resume();
      });
    });
    await this.#pause;
    this.#signal?.throwIfAborted();
  }
}

const SLICE_MILLISECONDS = 5;
