/** Who or what activated a skill. */
export type ActivatedBy = "model" | "user" | "trigger" | "host";

/** One thing that happened in a session. The record only grows. */
export type LedgerEntry = { readonly at: number } & LedgerEvent;

export type LedgerEvent =
  | { readonly type: "skills-offered"; readonly skills: readonly string[]; readonly tokens: number }
  | {
      readonly type: "skill-activated";
      readonly skill: string;
      readonly by: ActivatedBy;
      readonly digest: string;
      readonly bytes: number;
      readonly tokens: number;
      readonly truncated: boolean;
      /** The instructions were in the request already, and were not given again. */
      readonly repeated: boolean;
    }
  | {
      /** Said once a process for each skill and path. */
      readonly type: "content-truncated";
      readonly skill: string;
      readonly path: string;
      readonly bytes: number;
      readonly limit: number;
    }
  /** A client was given the instructions, to show or not. */
  | { readonly type: "skill-handed-over"; readonly skill: string; readonly digest: string }
  | { readonly type: "skill-deactivated"; readonly skill: string }
  | { readonly type: "skill-changed"; readonly skill: string; readonly digest: string }
  | { readonly type: "skill-missing"; readonly skill: string }
  | {
      readonly type: "file-read";
      readonly skill: string;
      readonly path: string;
      readonly bytes: number;
      readonly truncated: boolean;
    }
  | {
      readonly type: "tool-called";
      readonly skill: string;
      readonly tool: string;
      readonly milliseconds: number;
      readonly outcome: "succeeded" | "failed";
    }
  | {
      readonly type: "operation-failed";
      readonly operation: "activate" | "read" | "list" | "call";
      readonly skill: string;
      readonly code: string;
    };

export type LedgerListener<Type extends LedgerEvent["type"]> = (entry: Extract<LedgerEntry, { type: Type }>) => unknown;

/** The session's append-only record, and whoever listens to it. */
export class Ledger {
  readonly #entries: LedgerEntry[] = [];
  readonly #listeners = new Map<string, Set<(entry: LedgerEntry) => unknown>>();

  get entries(): readonly LedgerEntry[] {
    return this.#entries;
  }

  append(event: LedgerEvent): void {
    const entry = Object.freeze({ at: Date.now(), ...event });
    this.#entries.push(entry);
    for (const listener of [...(this.#listeners.get(event.type) ?? []), ...(this.#listeners.get("*") ?? [])]) {
      // An observer that throws, now or later, must not break the session that it observes.
      try {
        void Promise.resolve(listener(entry)).catch(() => {});
      } catch {}
    }
  }

  /** Calls back for each new entry of a type, or for all with `*`; gives a function that stops it. */
  on(type: string, listener: (entry: LedgerEntry) => unknown): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => void listeners.delete(listener);
  }
}
