import { setTimeout as pause } from "node:timers/promises";
import type { ChatMessage } from "../../shared/api.ts";
import type { Database } from "../database/database.ts";
import { databaseFaultOf, isConflictOfWrites } from "../database/database-fault.ts";
import { waitBefore } from "../database/keep-trying.ts";
import { reasonOf } from "../observe/error-reason.ts";
import type { Log } from "../observe/log.ts";
import { appendRows, type LogRow, readRows } from "./log-rows.ts";
import { ChunkCleaner } from "./logged-chunks.ts";
import { RemoteLog } from "./remote-log.ts";
import { type Follower, RunningLog, type TakenPart } from "./running-log.ts";

export interface AnswerLogOptions {
  readonly log: Log;
  /** Fills the texts of skills, which are not stored, into a message of a chat. */
  readonly fill: (chatId: string, message: ChatMessage) => Promise<ChatMessage>;
}

export interface FollowOptions {
  /** The last sequence number that the reader has. */
  readonly after: number;
  /** The answer that it reads; any by default. */
  readonly answerId?: string | undefined;
}

/** Starts reading. Returns a function that stops it. */
export type Follow = (follower: Follower) => () => void;

interface Entry {
  readonly log: RunningLog;
  readonly cleaner: ChunkCleaner;
}

/**
 * The logs of running answers. What an answer's writer adds within a few milliseconds is joined to a part, and the parts
 * of all answers are stored in one statement. A part is sent to pages once it is stored, so that a page never shows
 * words that a crash can take back.
 */
export class AnswerLog {
  readonly #database: Database;
  readonly #options: AnswerLogOptions;
  readonly #running = new Map<string, Entry>();
  readonly #written = new Set<Entry>();
  readonly #remote = new Set<RemoteLog>();
  #rows: LogRow[] = [];
  #storing: Promise<void> | undefined;
  #isFailing = false;
  #isWorking = false;

  constructor(database: Database, options: AnswerLogOptions) {
    this.#database = database;
    this.#options = options;
    database.onNotice((notice) => {
      if (notice === "missed") this.check();
      if (notice.startsWith("answers ")) this.check(notice.split(" ").map((one) => one.split(":")[0] ?? ""));
    });
  }

  /** Starts the log of an answer. */
  start(chatId: string, answerId: string): RunningLog {
    const log = new RunningLog(chatId, answerId, () => {
      this.#written.add(entry);
      if (!this.#isWorking) void this.#work();
    });
    const entry: Entry = { log, cleaner: new ChunkCleaner() };
    this.#running.set(chatId, entry);
    return log;
  }

  /**
   * Ends a log. `store` stores the whole answer, which replaces the log; the end of the answer is sent after that, or
   * before it if the database does not respond.
   */
  async finish(log: RunningLog, store: (chunks: RunningLog["chunks"]) => Promise<void>): Promise<void> {
    const entry = this.#running.get(log.chatId);
    if (entry) this.#written.delete(entry);
    await log.delivered();
    const end = log.take();
    const stored = store([...log.chunks, ...(end?.kept ?? [])]);
    try {
      await within(LONGEST_WAIT, stored);
      if (end !== undefined) log.deliver(end);
      await stored;
    } finally {
      if (this.#running.get(log.chatId) === entry) this.#running.delete(log.chatId);
      log.end();
    }
  }

  /** Returns a function that reads the running answer of a chat, on any server; undefined if there is none. */
  async find(chatId: string, { after, answerId: wanted }: FollowOptions): Promise<Follow | undefined> {
    const isWanted = (answerId: string): boolean => wanted === undefined || wanted === answerId;
    const own = this.#running.get(chatId)?.log;
    if (own !== undefined) return isWanted(own.answerId) ? (follower) => own.follow(after, follower) : undefined;
    const { queries } = this.#database;
    const stored = await readRows(queries, chatId, after);
    if (stored === undefined || !isWanted(stored.answerId)) return undefined;
    return (follower) => {
      const remote = new RemoteLog(queries, { chatId, stored, after, follower, fill: this.#options.fill });
      this.#remote.add(remote);
      remote.check();
      return () => {
        this.#remote.delete(remote);
        remote.stop();
      };
    };
  }

  /** Reads the logs of other servers again: of these chats, or of all. */
  check(chatIds?: readonly string[]): void {
    for (const remote of this.#remote) if (chatIds?.includes(remote.chatId) ?? true) remote.check();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    while (this.#written.size > 0) {
      const taken = [...this.#written].flatMap((entry) => {
        const part = entry.log.take();
        return part === undefined ? [] : [{ entry, part }];
      });
      this.#written.clear();
      for (const { entry, part } of taken) this.#rows.push(...rowsOf(entry, part));
      await this.#store();
      for (const { entry, part } of taken) entry.log.deliver(part);
      await pause(JOINED);
    }
    this.#isWorking = false;
  }

  /** Waits until everything is stored. If the database fails for long, answers continue and their log follows later. */
  async #store(): Promise<void> {
    this.#storing ??= this.#storeAll().finally(() => {
      this.#storing = undefined;
    });
    if (!this.#isFailing && !(await within(LONGEST_WAIT, this.#storing))) this.#isFailing = true;
  }

  async #storeAll(): Promise<void> {
    const { queries, isShared } = this.#database;
    for (let attempt = 0; this.#rows.length > 0; attempt++) {
      const rows = this.#rows;
      this.#rows = [];
      try {
        await appendRows(queries, rows);
        [attempt, this.#isFailing] = [-1, false];
        if (isShared) this.#notify(rows);
      } catch (error) {
        if (attempt === 0) this.#options.log.warn("log-not-stored", { reason: reasonOf(error) });
        if (databaseFaultOf(error) === undefined && !isConflictOfWrites(error)) continue;
        await pause(waitBefore(attempt));
        const isRunning = ({ chatId, answerId }: LogRow) => this.#running.get(chatId)?.log.answerId === answerId;
        this.#rows = [...rows.filter(isRunning), ...this.#rows];
      }
    }
  }

  #notify(rows: readonly LogRow[]): void {
    for (let start = 0; start < rows.length; start += MOST_NOTIFIED) {
      const some = rows.slice(start, start + MOST_NOTIFIED).map(({ chatId, seq }) => `${chatId}:${seq}`);
      // Readers also look for themselves now and then, so a lost notice delays them only.
      this.#database.notify(`answers ${some.join(" ")}`).catch(() => {});
    }
  }
}

function rowsOf({ log: { chatId, answerId }, cleaner }: Entry, { seq, kept }: TakenPart): readonly LogRow[] {
  return seq === undefined ? [] : [{ chatId, answerId, seq, chunks: JSON.stringify(cleaner.clean(kept)) }];
}

/** Returns whether the work ended in time. A failure counts as an end. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const late = new AbortController();
  const ended = work.then(
    () => true,
    () => true,
  );
  const isEnded = await Promise.race([ended, pause(milliseconds, false, { signal: late.signal }).catch(() => false)]);
  late.abort();
  return isEnded;
}

/** What is written within this time, in milliseconds, is one part. Pages redraw less often. */
const JOINED = 20;
/** How long words wait for a database that does not respond, in milliseconds. */
const LONGEST_WAIT = 10_000;
/** A notice has at most 8,000 bytes. */
const MOST_NOTIFIED = 100;
