import { randomUUID } from "node:crypto";

/** The running answers of this server, at most one per chat. */
export class RunningAnswers {
  readonly #running = new Map<string, RunningAnswer>();

  readonly #givenUp = new AbortController();
  #isEnding = false;

  /** Whether the server is shutting down. No new answers are started then. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  get size(): number {
    return this.#running.size;
  }

  /** The ids of the running answers. */
  get ids(): readonly string[] {
    return [...this.#running.values()].map(({ id }) => id);
  }

  /** Aborted when the server stops waiting for answers that are not stored yet. */
  get givenUp(): AbortSignal {
    return this.#givenUp.signal;
  }

  has(chatId: string): boolean {
    return this.#running.has(chatId);
  }

  /** Claims a chat. Returns undefined if it has a running answer or the server is shutting down. */
  start(chatId: string): RunningAnswer | undefined {
    if (this.#isEnding || this.#running.has(chatId)) return undefined;
    const answer = new RunningAnswer(() => this.#running.delete(chatId));
    this.#running.set(chatId, answer);
    return answer;
  }

  /** Stops the answer of a chat, and resolves when its text so far is stored. */
  async stop(chatId: string): Promise<void> {
    const answer = this.#running.get(chatId);
    answer?.stop();
    await answer?.done;
  }

  /** Waits the given milliseconds for running answers, then cuts them off. */
  async finish(milliseconds: number): Promise<void> {
    this.#isEnding = true;
    const all = [...this.#running.values()];
    const done = Promise.all(all.map((answer) => answer.done));
    await within(milliseconds, done);
    for (const answer of all) answer.abort();
    await within(LAST_STORING, done);
    this.#givenUp.abort();
    await done;
  }
}

/** How long the shutdown waits for a failing database. */
const LAST_STORING = 3_000;

async function within(milliseconds: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([done, late]);
  clearTimeout(timer);
}

export class RunningAnswer {
  /** The id of the future message. */
  readonly id = randomUUID();
  /** Resolves when the answer is stored. */
  readonly done: Promise<void>;
  readonly #controller = new AbortController();
  readonly #end: () => void;
  #isStopped = false;

  constructor(onEnd: () => void) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.done = promise;
    this.#end = () => {
      onEnd();
      resolve();
    };
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The user stopped the answer. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
    this.abort();
  }

  abort(): void {
    this.#controller.abort();
  }

  end(): void {
    this.#end();
  }
}
