import type { Database, Queries } from "../database/database.ts";
import { isConflictOfWrites } from "../database/database-fault.ts";

/**
 * Runs work in a transaction, and notifies the other servers when it commits. If another transaction is in its way, the
 * work is repeated.
 */
export async function changeChats<Result>(
  database: Database,
  work: (transaction: Queries) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.queries.transaction(async (transaction) => {
        const result = await work(transaction);
        await database.notify("chats", transaction);
        return result;
      });
    } catch (error) {
      if (attempt === ATTEMPTS || !isConflictOfWrites(error)) throw error;
    }
  }
}

const ATTEMPTS = 3;
