/** Who or what activated a skill. */
export type ActivatedBy = "model" | "user" | "trigger" | "host";

/** One thing that happened in a session. The record only grows. */
export type LedgerEntry = { readonly at: number } & LedgerEvent;

export type LedgerEvent =
  | SkillActivated
  | FileRead
  | ToolCalled
  | SkillDeactivated
  | { readonly type: "skills-offered"; readonly skills: readonly string[]; readonly tokens: number }
  | {
      /** Recorded once in a session for each skill and path. */
      readonly type: "content-truncated";
      readonly skill: string;
      readonly path: string;
      readonly bytes: number;
      readonly limit: number;
    }
  | { readonly type: "skill-changed"; readonly skill: string; readonly digest: string }
  | { readonly type: "skill-missing"; readonly skill: string }
  | {
      readonly type: "operation-failed";
      /** `activate`, `read`, `list`, `call` and so on. */
      readonly operation: string;
      readonly skill: string;
      readonly code: string;
    };

/** A conversation was given a skill's instructions. */
interface SkillActivated {
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

/** A model or a person read one of a skill's files. */
interface FileRead {
  readonly type: "file-read";
  readonly skill: string;
  readonly path: string;
  readonly bytes: number;
  readonly truncated: boolean;
}

/** A skill's tool ran. */
interface ToolCalled {
  readonly type: "tool-called";
  readonly skill: string;
  readonly tool: string;
  readonly milliseconds: number;
  readonly outcome: "succeeded" | "failed";
}

/** A skill is no longer active. */
interface SkillDeactivated {
  readonly type: "skill-deactivated";
  readonly skill: string;
}

export type LedgerListener<Type extends LedgerEvent["type"] | "*"> = (
  entry: Type extends "*" ? LedgerEntry : Extract<LedgerEntry, { type: Type }>,
) => unknown;

/** The session's append-only record, and whoever listens to it. */
export class Ledger {
  readonly #entries: LedgerEntry[] = [];
  readonly #listeners = new Map<string, Set<(entry: LedgerEntry) => unknown>>();

  get entries(): readonly LedgerEntry[] {
    return this.#entries;
  }

  append(event: LedgerEvent): LedgerEntry {
    const entry = Object.freeze({ at: Date.now(), ...event });
    this.#entries.push(entry);
    for (const listener of [...(this.#listeners.get(event.type) ?? []), ...(this.#listeners.get("*") ?? [])]) {
      // An observer that throws, now or later, must not break the session that it observes.
      try {
        void Promise.resolve(listener(entry)).catch(() => {});
      } catch {}
    }
    return entry;
  }

  /** Calls back for each new entry of a type, or for all with `*`; gives a function that stops it. */
  on(type: string, listener: (entry: LedgerEntry) => unknown): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => void listeners.delete(listener);
  }
}
