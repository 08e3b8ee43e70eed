import type { LedgerEntry } from "./ledger.ts";

/** Something that follows what a session does, as it happens. */
export interface SessionTelemetry {
  /** Does the work, and notes how long it took and how it ended. */
  follow<Result>(operation: FollowedOperation, work: () => Promise<Result>): Promise<Result>;
  /** Told of everything that is written into the ledger, while the operation that caused it is still being followed. */
  record(entry: LedgerEntry): void;
}

export type FollowedOperation = {
  /** The session's id. */
  readonly session: string;
  /** Undefined when the session has no skill of the name that was given: a name that a model made up may say anything. */
  readonly skill: string | undefined;
} & OperationRequest;

/** What was asked for, in the words of whoever asked. */
export type OperationRequest =
  | { readonly type: "activate"; readonly arguments: string | undefined }
  | { readonly type: "read" | "list"; readonly path: string }
  | { readonly type: "call"; readonly input: unknown };
