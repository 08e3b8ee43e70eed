import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { DatabaseConfig } from "../config.ts";
import { openFolder } from "./open-folder.ts";
import { openServer } from "./open-server.ts";
import type * as schema from "./schema.ts";

/** Queries, whichever PostgreSQL answers them; a transaction is one too. */
export type Queries = PgDatabase<PgQueryResultHKT, typeof schema>;

export interface Database {
  readonly queries: Queries;
  /** Where it is, in words for an operator. */
  readonly place: string;
  /** Tells the other servers on this database; alone, there is nobody to tell. */
  notify(message: string): Promise<void>;
  /** Called with what other servers tell. */
  onNotice(listener: (message: string) => void): void;
  close(): Promise<void>;
}

/** Opens the database and brings its tables up to date. */
export async function openDatabase({ url, folder }: DatabaseConfig): Promise<Database> {
  return url === undefined ? openFolder(folder) : openServer(url);
}
