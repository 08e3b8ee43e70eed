import { randomUUID } from "node:crypto";
import { DrizzleQueryError, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { StartError } from "../config/start-error.ts";
import { reasonOf } from "../observe/error-reason.ts";
import type { Database, Queries, ServerNotice } from "./database.ts";
import { databaseFaultOf } from "./database-fault.ts";
import { type Listening, listen } from "./listen.ts";
import { migrate } from "./migrate.ts";
import { NoticeQueue } from "./notice-queue.ts";
import * as schema from "./schema.ts";
import { createSearchIndexes } from "./search-index.ts";

/** Connects to a PostgreSQL server, which several chat servers can share. */
export async function openServer(url: string): Promise<Database> {
  const place = `the server at ${URL.parse(url)?.host ?? "DATABASE_URL"}`;
  const own = randomUUID();
  const listeners = new Set<(notice: ServerNotice) => void>();
  // Notices that arrive before the first listener count as missed.
  let wasMissed = false;
  const emit = (notice: ServerNotice): void => {
    wasMissed ||= listeners.size === 0;
    for (const listener of listeners) listener(notice);
  };
  const onPayload = (payload: string): void => {
    const [from, ...words] = payload.split(" ");
    if (from !== own) emit(words.join(" ") as ServerNotice);
  };
  let listening: Listening;
  let searchProblem: string | undefined;
  try {
    searchProblem = await migrateAlone(url);
    listening = await listen(url, CHANNEL, { onPayload, onMissed: () => emit("missed") });
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The chat cannot use ${place} as its database: ${reasonOf(error)}. Check DATABASE_URL.`);
  }
  const pool = openPool(url);
  const queries = withSafeTransactions(pool);
  const notices = new NoticeQueue((payloads) => notify(queries, payloads));
  return {
    queries,
    place,
    isShared: true,
    searchProblem,
    canWrite: () => true,
    notify: (notice, transaction) =>
      transaction === undefined ? notices.send(`${own} ${notice}`) : notify(transaction, [`${own} ${notice}`]),
    onNotice: (listener) => {
      listeners.add(listener);
      if (wasMissed) listener("missed");
      wasMissed = false;
    },
    close: async () => {
      await listening.close();
      await pool.end();
    },
  };
}

const CHANNEL = "skillset_chat";

async function notify(queries: Queries, payloads: readonly string[]): Promise<void> {
  await queries.execute(
    sql`SELECT pg_notify(${CHANNEL}, value) FROM json_array_elements_text(${JSON.stringify(payloads)}::json)`,
  );
}

/**
 * Uses a connection without timeouts: it may have to wait for another server that is migrating. Returns why searches cannot
 * use an index.
 */
async function migrateAlone(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    const queries = drizzle({ client, schema });
    await migrate(queries, { isShared: true });
    return await createSearchIndexes(queries, { isShared: true });
  } finally {
    await client.end().catch(() => {});
  }
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    keepAlive: true,
    // A slow or missing database causes a readable error instead of a page that never loads.
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    query_timeout: 12_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  // The pool replaces a broken idle connection at the next query; without a listener, the error would end the process.
  pool.on("error", () => {});
  return pool;
}

/** Works around Drizzle, which leaks a pooled connection when its BEGIN fails, and returns broken ones to the pool. */
function withSafeTransactions(pool: pg.Pool): Queries {
  const queries: Queries = drizzle({ client: pool, schema });
  queries.transaction = async (work, config) => {
    const client = await pool.connect().catch((error: Error) => {
      throw new DrizzleQueryError("begin", [], error);
    });
    let isBroken = false;
    // Without a listener, losing a connection in use would end the process.
    const ignore = (): void => {};
    client.on("error", ignore);
    try {
      return await (drizzle({ client, schema }) as Queries).transaction(work, config);
    } catch (error) {
      isBroken = databaseFaultOf(error) !== undefined;
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(isBroken);
    }
  };
  return queries;
}
