import { AsyncLocalStorage } from "node:async_hooks";
import { readdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import type { PGlite, Transaction } from "@electric-sql/pglite";

/** The part of the embedded database's client that Drizzle uses. */
export type EmbeddedClient = Pick<PGlite, "query" | "transaction">;

/** What the database does around writes. */
interface Upkeep {
  afterWrite(): Promise<void>;
  makeRoom(): Promise<boolean>;
}

/** Lets work write although the disk is nearly full: what frees space, and the few bytes of a start. */
export function onFullDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  // Queries begin when they are awaited.
  return isAllowed.run(true, async () => await work());
}

const isAllowed = new AsyncLocalStorage<true>();

/**
 * Refuses writes when the disk is nearly full. If the embedded database cannot write its log, it deadlocks the whole
 * process, so writes require enough free space for the log. Reads still work, and what `onFullDisk` allows.
 */
export function withFreeSpaceCheck(client: PGlite, folder: string, upkeep: Upkeep): EmbeddedClient {
  const hasRoom = async (): Promise<boolean> =>
    hasFreeSpace(folder) || (isAllowed.getStore() === true && (await upkeep.makeRoom()));
  return {
    query: async (text, ...rest) => {
      if (READING.test(text)) return client.query(text, ...rest);
      if (!(await hasRoom())) throw diskFull();
      const result = await client.query<never>(text, ...rest);
      await upkeep.afterWrite();
      return result;
    },
    transaction: async (work) => {
      let hasWritten = false;
      // Before the transaction: there is only one connection.
      const isPrepared = isAllowed.getStore() === true && (await hasRoom());
      const queryOf = (transaction: Transaction): EmbeddedClient["query"] => {
        return async (text, ...rest) => {
          if (READING.test(text)) return transaction.query(text, ...rest);
          if (!isPrepared && !hasFreeSpace(folder)) throw diskFull();
          hasWritten = true;
          return transaction.query(text, ...rest);
        };
      };
      const result = await client.transaction((transaction) => work({ ...transaction, query: queryOf(transaction) }));
      if (hasWritten) await upkeep.afterWrite();
      return result;
    },
  };
}

const READING = /^select\b(?![\s\S]*\bfor update\b)/i;

function diskFull(): Error {
  return Object.assign(new Error("Not enough disk space for the database."), { code: "ENOSPC" });
}

/** Whether 32 MiB are free: two segments of the database's log, more than one transaction fills; and `more` bytes. */
export function hasFreeSpace(folder: string, more = 0): boolean {
  return freeBytes(folder) >= ROOM + more;
}

/** Whether the log has room for so many bytes just after a checkpoint, with the segments that it keeps for later. */
export function hasRoomInLog(folder: string, bytes: number): boolean {
  return freeBytes(folder) + (logSegments(folder) - 1) * SEGMENT >= bytes;
}

/** The number of files of the log. */
export function logSegments(folder: string): number {
  return readdirSync(join(folder, "postgres/pg_wal")).filter((name) => /^[0-9A-F]{24}$/.test(name)).length;
}

/** Whether an existing database can be opened, to read and to free space. */
export function hasSpaceToOpen(folder: string): boolean {
  return freeBytes(folder) >= 1024 * 1024;
}

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const SEGMENT = 16 * 1024 * 1024;
const ROOM = 2 * SEGMENT;
