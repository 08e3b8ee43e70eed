import { statfsSync } from "node:fs";
import type { PGlite, Transaction } from "@electric-sql/pglite";

/** The part of the embedded database's client that Drizzle uses. */
export type EmbeddedClient = Pick<PGlite, "query" | "transaction">;

/**
 * Refuses writes when the disk is nearly full. If the embedded database cannot write its log, it deadlocks the whole
 * process, so writes require enough free space for the log. Reads still work.
 */
export function withFreeSpaceCheck(client: PGlite, folder: string): EmbeddedClient {
  const queryOf = (queries: Pick<Transaction, "query">): EmbeddedClient["query"] => {
    return async (text, ...rest) => {
      if (!READING.test(text)) demandFreeSpace(folder);
      return queries.query(text, ...rest);
    };
  };
  return {
    query: queryOf(client),
    transaction: (work) => client.transaction((transaction) => work({ ...transaction, query: queryOf(transaction) })),
  };
}

const READING = /^select\b(?![\s\S]*\bfor update\b)/i;

function demandFreeSpace(folder: string): void {
  if (hasFreeSpace(folder)) return;
  throw Object.assign(new Error("Not enough disk space for the database."), { code: "ENOSPC" });
}

/** Whether 32 MiB are free: two segments of the database's log, more than one transaction fills; and `more` bytes. */
export function hasFreeSpace(folder: string, more = 0): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= 32 * 1024 * 1024 + more;
}
