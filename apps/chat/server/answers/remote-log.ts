import type { ChatMessage } from "../../shared/api.ts";
import type { Queries } from "../database/database.ts";
import { readRows, type StoredLog } from "./log-rows.ts";
import { fillChunks } from "./logged-chunks.ts";
import type { Follower } from "./running-log.ts";

export interface RemoteLogOptions {
  readonly chatId: string;
  readonly after: number;
  /** The first read, from `after`. */
  readonly stored: StoredLog;
  readonly follower: Follower;
  readonly fill: (chatId: string, message: ChatMessage) => Promise<ChatMessage>;
}

/** Reads the log of an answer that another server writes, whenever `check` is called and every few seconds. */
export class RemoteLog {
  readonly #queries: Queries;
  readonly #options: RemoteLogOptions;
  readonly #timer: NodeJS.Timeout;
  #stored: StoredLog | undefined;
  #after: number;
  #reading: Promise<void> | undefined;
  #isStale = false;
  #isEnded = false;

  constructor(queries: Queries, options: RemoteLogOptions) {
    this.#queries = queries;
    this.#options = options;
    this.#stored = options.stored;
    this.#after = options.after;
    // Notices can be lost, and a server that is killed sends none.
    this.#timer = setInterval(() => this.check(), LOOK).unref();
  }

  get chatId(): string {
    return this.#options.chatId;
  }

  /** Reads what was added since. */
  check(): void {
    if (this.#reading !== undefined) {
      this.#isStale = true;
      return;
    }
    this.#reading = this.#readAll().finally(() => {
      this.#reading = undefined;
    });
  }

  stop(): void {
    this.#isEnded = true;
    clearInterval(this.#timer);
  }

  async #readAll(): Promise<void> {
    do {
      this.#isStale = false;
      // A failing database is asked again by the timer.
      if ((await this.#read().catch(() => true)) || this.#isEnded) continue;
      this.stop();
      this.#options.follower.onEnd();
    } while (this.#isStale && !this.#isEnded);
  }

  /** Returns false if the answer is not running anymore. */
  async #read(): Promise<boolean> {
    const { chatId, follower, fill } = this.#options;
    const { answerId } = this.#options.stored;
    const stored = this.#stored ?? (await readRows(this.#queries, chatId, this.#after));
    this.#stored = undefined;
    if (stored?.answerId !== answerId) return false;
    for (const { seq, chunks } of stored.parts) {
      const filled = await fillChunks(answerId, chunks, (message) => fill(chatId, message));
      // A gap means that an earlier part is stored later than this one.
      if (this.#isEnded || seq !== this.#after + 1) break;
      this.#after = seq;
      follower.onPart({ seq, chunks: filled });
    }
    return true;
  }
}

const LOOK = 5_000;
