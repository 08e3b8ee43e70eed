// Stores 24 MB in the database of the folder that is its argument, in a transaction that fails, and is killed then: the
// log has the 24 MB, and the next process writes them into a table again before it knows that they are not needed.
import { sql } from "drizzle-orm";
import { openFolder } from "../database/open-folder.ts";

const { queries } = await openFolder(process.argv[2] ?? "");
await queries
  .transaction(async (transaction) => {
    const rows = sql`SELECT repeat('x', 1000) FROM generate_series(1, 24000)`;
    await transaction.execute(sql`CREATE TABLE lost AS ${rows}`);
    throw new Error("It fails.");
  })
  .catch(() => {});
await queries.execute(sql`INSERT INTO blobs (id, owner) VALUES ('kept', 'o')`);
process.kill(process.pid, "SIGKILL");
