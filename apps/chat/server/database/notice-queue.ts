import { setTimeout as pause } from "node:timers/promises";

/** Sends notices of a few milliseconds in one statement, and equal ones once. */
export class NoticeQueue {
  readonly #sendAll: (payloads: readonly string[]) => Promise<void>;
  #payloads = new Set<string>();
  #sending: Promise<void> | undefined;

  constructor(sendAll: (payloads: readonly string[]) => Promise<void>) {
    this.#sendAll = sendAll;
  }

  /** Resolves when the notice is sent. */
  send(payload: string): Promise<void> {
    this.#payloads.add(payload);
    this.#sending ??= this.#sendSoon();
    return this.#sending;
  }

  async #sendSoon(): Promise<void> {
    await pause(JOINED);
    const payloads = [...this.#payloads];
    this.#payloads = new Set();
    this.#sending = undefined;
    await this.#sendAll(payloads);
  }
}

/** Milliseconds. */
const JOINED = 5;
