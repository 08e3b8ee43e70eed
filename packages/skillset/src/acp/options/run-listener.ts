import type { LedgerEntry } from "../../core/session/ledger.ts";
import type { ThinkEvent } from "./think-event.ts";

/** Receives what happens in a run. */
export interface RunListener {
  /** Called with each event. */
  readonly emit: (event: ThinkEvent) => void;
  /** Called with each ledger entry of the session with the skills. */
  readonly record: (entry: LedgerEntry) => void;
}
