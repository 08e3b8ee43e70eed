import type { LedgerEntry } from "./ledger.ts";

/** Observes the operations of a session. */
export interface SessionTelemetry {
  /** Runs the work, and records its duration and outcome. `output` describes its result. */
  follow<Result>(
    operation: FollowedOperation,
    work: () => Promise<Result>,
    output?: (result: Result) => TelemetryAttributes,
  ): Promise<Result>;
  /** Called for each ledger entry, while the operation that caused it is still running. */
  record(entry: LedgerEntry, attributes: TelemetryAttributes): void;
}

/** OpenTelemetry attributes. */
export type TelemetryAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface FollowedOperation {
  /** The session's id. */
  readonly session: string;
  /**
   * Undefined if the session has no such skill: a name that a model made up may contain anything. Null for an operation
   * that is not about one skill.
   */
  readonly skill: string | null | undefined;
  /** `activate`, `read`, `list`, `call`, `search` and so on. */
  readonly operation: string;
  /** Text from users and models, for hosts that record content. */
  readonly content: TelemetryAttributes;
}
