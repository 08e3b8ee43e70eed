import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { ApiFailure } from "../http/api-failure.ts";

/** The last row of a page in a list that is sorted by a time and an id, newest first. */
export interface Cursor {
  /** Microseconds, because JavaScript's times are less precise than the database's. */
  readonly time: string;
  readonly id: string;
}

/** A time in microseconds, as a text. */
export function microseconds(time: SQLWrapper): SQL<string> {
  return sql<string>`(extract(epoch FROM ${time}) * 1000000)::bigint::text`;
}

export function writeCursor({ time, id }: Cursor): string {
  return `${time}_${id}`;
}

/** Reads the cursor that a client sends. Throws if it is not one. */
export function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  const [, time, id] = /^(\d{1,16})_([\w-]{1,100})$/.exec(text) ?? [];
  if (time === undefined || id === undefined) {
    throw new ApiFailure(400, "before-invalid", "'before' must be the 'next' of an earlier page.");
  }
  return { time, id };
}

/** The rows after the cursor. Rows that changed since the last page are not repeated at another place. */
export function isAfter(cursor: Cursor | undefined, time: SQLWrapper, id: SQLWrapper): SQL {
  if (cursor === undefined) return sql`true`;
  const moment = sql`timestamptz 'epoch' + ${cursor.time}::bigint * interval '1 microsecond'`;
  return sql`(${time}, ${id}) < (${moment}, ${cursor.id})`;
}
