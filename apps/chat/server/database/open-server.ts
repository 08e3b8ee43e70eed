import { randomUUID } from "node:crypto";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { reasonOf } from "../http/error-reason.ts";
import { StartError } from "../start-error.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import * as schema from "./schema.ts";

/** A PostgreSQL server, which several chats may share. */
export async function openServer(url: string): Promise<Database> {
  const pool = new pg.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 10_000 });
  // A connection that breaks while idle is replaced at the next query; unheard, it would end the process.
  pool.on("error", () => {});
  const queries = drizzle({ client: pool, schema });
  const place = `the server at ${URL.parse(url)?.host ?? "DATABASE_URL"}`;
  try {
    await migrate(queries, { isShared: true });
  } catch (error) {
    await pool.end();
    throw new StartError(`The chat cannot use ${place} as its database: ${reasonOf(error)}.`);
  }
  const own = randomUUID();
  const listeners = new Set<(message: string) => void>();
  let listening: Listening | undefined;
  return {
    queries,
    place,
    notify: async (message) => {
      await pool.query("SELECT pg_notify($1, $2)", [CHANNEL, `${own} ${message}`]);
    },
    onNotice: (listener) => {
      listeners.add(listener);
      listening ??= listen(url, (payload) => {
        const [from, ...words] = payload.split(" ");
        if (from !== own) for (const one of listeners) one(words.join(" "));
      });
    },
    close: async () => {
      await listening?.close();
      await pool.end();
    },
  };
}

const CHANNEL = "skillset_chat";

interface Listening {
  close(): Promise<void>;
}

/** A connection of its own that is opened again when it breaks: notices in between are lost, queries are not. */
function listen(url: string, listener: (payload: string) => void): Listening {
  let isClosed = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  const open = async (): Promise<void> => {
    const next = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
    client = next;
    const again = (): void => {
      next.removeAllListeners("end");
      if (!isClosed) timer = setTimeout(() => void open(), 1_000).unref();
    };
    next.on("error", () => {});
    next.once("end", again);
    next.on("notification", ({ payload = "" }) => listener(payload));
    await next.connect().then(() => next.query(`LISTEN ${CHANNEL}`), again);
  };
  const opened = open();
  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await opened.catch(() => {});
      await client?.end().catch(() => {});
    },
  };
}
