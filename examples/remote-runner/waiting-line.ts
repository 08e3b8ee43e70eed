/** Lets a number of jobs work at a time. Others wait. */
export class WaitingLine {
  readonly #atATime: number;
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  constructor(atATime: number) {
    this.#atATime = atATime;
  }

  /** Does the work when it is its turn. */
  async add<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#working >= this.#atATime) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    else this.#working++;
    try {
      return await work();
    } finally {
      // The place goes to the next one.
      const next = this.#waiting.shift();
      if (next === undefined) this.#working--;
      else next();
    }
  }
}
