import { type AnswerChunk, joinChunks } from "./join-chunks.ts";

/** A step of an answer, as it is logged and sent. Chunks that are never stored have no sequence number. */
export interface LogPart {
  /** Counts from 1. */
  readonly seq: number | undefined;
  readonly chunks: readonly AnswerChunk[];
}

/** Reads the log of a running answer. */
export interface Follower {
  onPart(part: LogPart): void;
  /** Called once, when the answer is stored or given up. */
  onEnd(): void;
}

/** What was written since the last part: everything for the pages that read now, and what is kept for the others. */
export interface TakenPart extends LogPart {
  readonly kept: readonly AnswerChunk[];
}

/** The log of an answer that this server writes. */
export class RunningLog {
  readonly chatId: string;
  readonly answerId: string;
  readonly #onWrite: () => void;
  readonly #parts: LogPart[] = [];
  readonly #followers = new Set<Follower>();
  #pending: AnswerChunk[] = [];
  #seq = 0;
  #undelivered = 0;
  #onDelivered: (() => void) | undefined;

  constructor(chatId: string, answerId: string, onWrite: () => void) {
    this.chatId = chatId;
    this.answerId = answerId;
    this.#onWrite = onWrite;
  }

  /** Everything that was delivered so far, except what is never stored. */
  get chunks(): readonly AnswerChunk[] {
    return this.#parts.flatMap(({ chunks }) => chunks);
  }

  write(chunk: AnswerChunk): void {
    this.#pending.push(chunk);
    this.#onWrite();
  }

  /** Makes a part of what was written since the last one. It must then be delivered, in order. */
  take(): TakenPart | undefined {
    if (this.#pending.length === 0) return undefined;
    const chunks = joinChunks(this.#pending);
    this.#pending = [];
    this.#undelivered++;
    const kept = chunks.filter((chunk) => !("transient" in chunk && chunk.transient === true));
    return { seq: kept.length === 0 ? undefined : ++this.#seq, chunks, kept };
  }

  deliver({ seq, chunks, kept }: TakenPart): void {
    if (seq !== undefined) this.#parts.push({ seq, chunks: kept });
    for (const follower of this.#followers) {
      try {
        follower.onPart({ seq, chunks });
      } catch {
        // A broken connection must not end the answer for others.
        this.#followers.delete(follower);
      }
    }
    this.#undelivered--;
    if (this.#undelivered === 0) this.#onDelivered?.();
  }

  /** Resolves when every part that was taken is delivered. */
  async delivered(): Promise<void> {
    if (this.#undelivered === 0) return;
    await new Promise<void>((resolve) => {
      this.#onDelivered = resolve;
    });
  }

  /** Replays the parts after a sequence number, then continues live. Returns a function that stops it. */
  follow(after: number, follower: Follower): () => void {
    for (const part of this.#parts) if ((part.seq ?? 0) > after) follower.onPart(part);
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  end(): void {
    for (const follower of this.#followers) follower.onEnd();
    this.#followers.clear();
  }
}
