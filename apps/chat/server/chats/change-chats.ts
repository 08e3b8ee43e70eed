import type { Database, Queries } from "../database/database.ts";

/** Runs work in a transaction, and notifies the other servers when it commits. */
export function changeChats<Result>(
  database: Database,
  work: (transaction: Queries) => Promise<Result>,
): Promise<Result> {
  return database.queries.transaction(async (transaction) => {
    const result = await work(transaction);
    await database.notify("chats", transaction);
    return result;
  });
}
