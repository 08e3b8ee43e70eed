import type { LedgerEntry } from "./ledger.ts";

/** Something that follows what a session does, as it happens. */
export interface SessionTelemetry {
  /** Does the work, and records how long it took and how it ended; `output` describes what the work gave. */
  follow<Result>(
    operation: FollowedOperation,
    work: () => Promise<Result>,
    output?: (result: Result) => TelemetryAttributes,
  ): Promise<Result>;
  /** Called for every entry of the ledger, while the operation that caused it is still being followed. */
  record(entry: LedgerEntry, attributes: TelemetryAttributes): void;
}

/** Names and values as OpenTelemetry knows them. */
export type TelemetryAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface FollowedOperation {
  /** The session's id. */
  readonly session: string;
  /** Undefined when the session has no skill of the name that was given: a name that a model made up may say anything. */
  readonly skill: string | undefined;
  /** `activate`, `read`, `list`, `call` and so on. */
  readonly operation: string;
  /** What people and models wrote: for hosts that record content. */
  readonly content: TelemetryAttributes;
}
