import { statfsSync } from "node:fs";
import type { PGlite, Transaction } from "@electric-sql/pglite";

/** What Drizzle asks of an embedded database. */
export type EmbeddedClient = Pick<PGlite, "query" | "transaction">;

/**
 * Refuses to write when the disk is nearly full. When the embedded database cannot write its log, it waits for itself,
 * for ever and with the whole process; so it is not asked to without room for that. Reading goes on.
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
  throw Object.assign(new Error("There is no room left for the database."), { code: "ENOSPC" });
}

/** Whether 32 MiB are free, which are two segments of the database's log: one transaction fills less than that. */
export function hasFreeSpace(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= 32 * 1024 * 1024;
}
