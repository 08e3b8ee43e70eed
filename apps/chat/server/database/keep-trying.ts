import { setTimeout as pause } from "node:timers/promises";
import { type DatabaseFault, databaseFaultOf } from "./database-fault.ts";

export interface KeepTryingOptions {
  /** Gives up, with the last error. */
  readonly signal: AbortSignal;
  /** After how many failures it gives up; with the longest waits that is half an hour. */
  readonly attempts?: number;
  /** Told of every failure that is tried again. */
  readonly onFault?: (fault: DatabaseFault, attempt: number) => void;
}

/**
 * Does what must not be lost, again and again while the database is in trouble, for half an hour at most: what waits is
 * kept in memory. Doing it twice must do no harm.
 */
export async function keepTrying<Result>(
  work: () => Promise<Result>,
  { signal, onFault, attempts = 360 }: KeepTryingOptions,
): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const fault = databaseFaultOf(error);
      if (fault === undefined || signal.aborted || attempt >= attempts) throw error;
      onFault?.(fault, attempt);
      await pause(waitBefore(attempt), undefined, { signal }).catch(() => {});
    }
  }
}

/** Milliseconds: short at first, and never so long that nobody notices that all is well again. */
export function waitBefore(attempt: number): number {
  return Math.min(5_000, 200 * 2 ** Math.min(attempt, 10));
}
