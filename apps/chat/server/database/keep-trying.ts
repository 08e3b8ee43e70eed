import { setTimeout as pause } from "node:timers/promises";
import { type DatabaseFault, databaseFaultOf, isConflictOfWrites } from "./database-fault.ts";

export interface KeepTryingOptions {
  /** Aborting it throws the last error. */
  readonly signal: AbortSignal;
  /** The maximum number of attempts; with the default waits, they take half an hour. */
  readonly attempts?: number;
  /** Called for each failure that is retried. */
  readonly onFault?: (fault: DatabaseFault, attempt: number) => void;
}

/**
 * Retries work that must not be lost while the database is failing, for at most half an hour, because pending work is
 * kept in memory. The work must be idempotent.
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
      const isWorthwhile = fault !== undefined || isConflictOfWrites(error);
      if (!isWorthwhile || signal.aborted || attempt >= attempts) throw error;
      if (fault !== undefined) onFault?.(fault, attempt);
      await pause(waitBefore(attempt), undefined, { signal }).catch(() => {});
    }
  }
}

/** Milliseconds: short at first, and capped so that a recovered database is used soon. */
export function waitBefore(attempt: number): number {
  return Math.min(5_000, 200 * 2 ** Math.min(attempt, 10));
}
