import type { ActivatedBy } from "./ledger.ts";

/** What is kept of a session: names and digests, never instructions. */
export interface SessionState {
  readonly version: 1;
  readonly active: readonly StoredActivation[];
  /** How many tokens instructions have taken. */
  readonly spent?: number;
}

export interface StoredActivation {
  readonly name: string;
  readonly digest: string;
  readonly by: ActivatedBy;
}

/** Where sessions are kept between requests and restarts. */
export interface SessionStore {
  load(id: string): Promise<SessionState | undefined>;
  save(id: string, state: SessionState): Promise<void>;
}

/** Keeps sessions in memory, for one process. */
export class MemorySessionStore implements SessionStore {
  readonly #states = new Map<string, SessionState>();

  async load(id: string): Promise<SessionState | undefined> {
    return this.#states.get(id);
  }

  async save(id: string, state: SessionState): Promise<void> {
    this.#states.set(id, structuredClone(state));
  }
}
