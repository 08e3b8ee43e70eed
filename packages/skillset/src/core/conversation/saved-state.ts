import { SkillError } from "../base/errors.ts";
import { readState } from "./check-state.ts";
import { type ConversationEvent, reduce } from "./reduce.ts";
import { EMPTY_STATE, type SessionState } from "./state.ts";
import type { SessionStore } from "./store.ts";

/** The current state of a conversation, and its copy in the store. */
export class SavedState {
  readonly #id: string;
  readonly #store: SessionStore | undefined;
  /** What the store has. */
  #stored: SessionState = EMPTY_STATE;
  /** What happened since. An event that could not be saved is taken out again. */
  #events: readonly ConversationEvent[] = [];
  #current: SessionState = EMPTY_STATE;
  /** Incremented on every change, so that older state never replaces newer state. */
  #revision = 0;
  #saving: Promise<void> = Promise.resolve();

  constructor(id: string, store: SessionStore | undefined) {
    this.#id = id;
    this.#store = store;
  }

  get current(): SessionState {
    return this.#current;
  }

  /** Applies events in order. They are saved with the next ones that are committed. */
  apply(events: readonly ConversationEvent[]): void {
    const next = events.reduce(reduce, this.#current);
    if (next === this.#current) return;
    this.#revision++;
    this.#current = next;
    if (this.#store === undefined) this.#stored = next;
    else this.#events = [...this.#events, ...events];
  }

  /** Applies events and saves the state. Reverts these events, and no others, if saving fails. */
  async commit(events: readonly ConversationEvent[]): Promise<void> {
    this.apply(events);
    const store = this.#store;
    if (store === undefined) return;
    // One state at a time, so that an older one never overwrites a newer one.
    const saving = this.#saving.then(() => this.#save(store).catch((error: unknown) => this.#revert(events, error)));
    this.#saving = saving.catch(() => {});
    await saving;
  }

  /** Loads the state from the store. Does nothing without a store. */
  async load(): Promise<void> {
    if (this.#store === undefined) return;
    for (;;) {
      await this.#saving;
      const before = this.#revision;
      const state = await this.#store.load(this.#id);
      // Changes made during the load are newer than the loaded state.
      if (this.#revision !== before) continue;
      // Many stores return null for what they do not have.
      if (state == null) return;
      this.#stored = readState(state);
      this.#events = [];
      this.#current = this.#stored;
      return;
    }
  }

  async #save(store: SessionStore): Promise<void> {
    const [state, events] = [this.#current, this.#events];
    // The save before this one has saved these events too.
    if (events.length === 0) return;
    this.#revision++;
    await store.save(this.#id, state);
    this.#stored = state;
    this.#events = this.#events.slice(events.length);
  }

  #revert(events: readonly ConversationEvent[], cause: unknown): never {
    this.#revision++;
    this.#events = this.#events.filter((one) => !events.includes(one));
    this.#current = this.#events.reduce(reduce, this.#stored);
    // The store's message is for the operator, not for a model.
    throw new SkillError("store-failed", "The session's state could not be saved.", { cause });
  }
}
