/** Writes the lines of several writers, one after the other. */
export class LineWriter {
  readonly #write: (bytes: Uint8Array | string) => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();
  #queued = 0;

  constructor(write: (bytes: Uint8Array | string) => Promise<void>) {
    this.#write = write;
  }

  /** Writes a whole line. Resolves when the reader has taken it. */
  async send(line: Uint8Array | string): Promise<void> {
    const { write, release } = await this.hold();
    try {
      await write(line);
    } finally {
      release();
    }
  }

  /** Writes a whole line. Resolves as soon as little is waiting for the reader. */
  async queue(line: Uint8Array | string): Promise<void> {
    const { length } = line;
    this.#queued += length;
    const sent = this.send(line).finally(() => {
      this.#queued -= length;
    });
    if (this.#queued > MOST_QUEUED) await sent;
  }

  /** Returns the means to write a line in parts. Other writers wait until it is released. */
  async hold() {
    const before = this.#last;
    const { promise, resolve: release } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    return { write: this.#write, release };
  }
}

const MOST_QUEUED = 1024 * 1024;
