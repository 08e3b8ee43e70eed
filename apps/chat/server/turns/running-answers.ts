import { randomUUID } from "node:crypto";

/** The answers under way on this server: one a chat at most. */
export class RunningAnswers {
  readonly #running = new Map<string, RunningAnswer>();

  readonly #givenUp = new AbortController();
  #isEnding = false;

  /** The server ends: no answer is begun any more. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  get size(): number {
    return this.#running.size;
  }

  /** The ids of the answers. */
  get ids(): readonly string[] {
    return [...this.#running.values()].map(({ id }) => id);
  }

  /** Aborted when the server ends without waiting any longer for what is not stored yet. */
  get givenUp(): AbortSignal {
    return this.#givenUp.signal;
  }

  has(chatId: string): boolean {
    return this.#running.has(chatId);
  }

  /** Claims a chat; undefined when an answer is under way there, or the server ends. */
  start(chatId: string): RunningAnswer | undefined {
    if (this.#isEnding || this.#running.has(chatId)) return undefined;
    const answer = new RunningAnswer(() => this.#running.delete(chatId));
    this.#running.set(chatId, answer);
    return answer;
  }

  /** Ends the answer of a chat, and settles when what came so far is stored. */
  async stop(chatId: string): Promise<void> {
    const answer = this.#running.get(chatId);
    answer?.stop();
    await answer?.done;
  }

  /** Lets the answers under way end by themselves for so many milliseconds, and then cuts them. */
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

/** How long a database in trouble is waited for at the end. */
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
  /** The id of the message that it becomes. */
  readonly id = randomUUID();
  /** Settles when the answer is stored. */
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

  /** A person wanted no more of it. */
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
