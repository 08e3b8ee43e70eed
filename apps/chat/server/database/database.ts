import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type * as schema from "./schema.ts";

/** Queries, whichever PostgreSQL answers them; a transaction is one too. */
export type Queries = PgDatabase<PgQueryResultHKT, typeof schema>;

/** What one server tells the others; `missed` is what it tells itself when it may not have heard them. */
export type ServerNotice = "chats" | "switches" | "rescan" | `stop ${string}` | "missed";

export interface Database {
  readonly queries: Queries;
  /** Where it is, in words for an operator. */
  readonly place: string;
  /** Whether other servers may have it open too. */
  readonly isShared: boolean;
  /** Tells the other servers, once the transaction is through when one is given; alone, there is nobody to tell. */
  notify(notice: ServerNotice, transaction?: Queries): Promise<void>;
  /** Called with what other servers tell. */
  onNotice(listener: (notice: ServerNotice) => void): void;
  close(): Promise<void>;
}
