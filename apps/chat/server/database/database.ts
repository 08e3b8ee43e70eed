import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type * as schema from "./schema.ts";

/** Runs queries on any PostgreSQL, directly or in a transaction. */
export type Queries = PgDatabase<PgQueryResultHKT, typeof schema>;

/**
 * A notice between servers. `answers` lists `CHAT:SEQUENCE` of answers that have grown or ended, `removed` the chats that
 * were deleted for good. `missed` is local: notices may have been lost.
 */
export type ServerNotice =
  | "chats"
  | "switches"
  | "rescan"
  | `stop ${string}`
  | `answers ${string}`
  | `removed ${string}`
  | "missed";

export interface Database {
  readonly queries: Queries;
  /** Its location, for operators. */
  readonly place: string;
  /** Whether several servers can use it at once. */
  readonly isShared: boolean;
  /** Why searches cannot use an index; undefined if they can. */
  readonly searchProblem: string | undefined;
  /** Whether the disk has room for writes, as far as this process can see it. Reading and deleting work without. */
  canWrite(): boolean;
  /** Notifies the other servers, if any: when the given transaction commits, or else at once. */
  notify(notice: ServerNotice, transaction?: Queries): Promise<void>;
  /** Listens for notices from other servers. */
  onNotice(listener: (notice: ServerNotice) => void): void;
  close(): Promise<void>;
}
