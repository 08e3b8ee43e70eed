import pg from "pg";
import { waitBefore } from "./keep-trying.ts";

export interface Listening {
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly onPayload: (payload: string) => void;
  /** Called after a reconnect: notices sent in between were missed. */
  readonly onMissed: () => void;
}

/** Listens to a channel over a dedicated connection, and reconnects whenever it breaks. */
export async function listen(url: string, channel: string, options: ListenOptions): Promise<Listening> {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let client = await connect(url, channel, options.onPayload, lost);

  function lost(): void {
    if (!isClosed) again(0);
  }
  function again(attempt: number): void {
    timer = setTimeout(() => void reopen(attempt), waitBefore(attempt)).unref();
  }
  async function reopen(attempt: number): Promise<void> {
    try {
      client = await connect(url, channel, options.onPayload, lost);
    } catch {
      if (!isClosed) again(attempt + 1);
      return;
    }
    if (isClosed) await client.end();
    else options.onMissed();
  }
  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await client.end();
    },
  };
}

interface Connection {
  end(): Promise<void>;
}

async function connect(
  url: string,
  channel: string,
  onPayload: (payload: string) => void,
  onLost: () => void,
): Promise<Connection> {
  const client = new pg.Client({
    connectionString: url,
    application_name: LISTENER,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    keepAlive: true,
  });
  let isOver = false;
  const over = (): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(pulse);
    void client.end().catch(() => {});
    onLost();
  };
  client.on("error", () => {});
  client.on("notification", ({ payload = "" }) => onPayload(payload));
  let pulse: NodeJS.Timeout | undefined;
  try {
    await client.connect();
    await client.query(`LISTEN ${channel}`);
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
  client.once("end", over);
  // Without a query, a dead connection looks like an idle one.
  pulse = setInterval(() => void client.query("SELECT 1").catch(over), PULSE).unref();
  return {
    end: async () => {
      isOver = true;
      clearInterval(pulse);
      await client.end().catch(() => {});
    },
  };
}

/** The application name that operators see in `pg_stat_activity`. */
export const LISTENER = "skillset-chat-listener";
const PULSE = 10_000;
