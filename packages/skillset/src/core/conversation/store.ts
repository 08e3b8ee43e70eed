import type { SessionState } from "./state.ts";

/** Stores sessions between requests and restarts. */
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
