import type { AppEvent } from "../../shared/api.ts";

type Listener = (event: AppEvent) => void;

/** The events for all open pages. */
export class AppEvents {
  readonly #listeners = new Set<Listener>();
  readonly #closing = new AbortController();

  /** Aborted when the server shuts down. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  emit(event: AppEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Returns a function that unsubscribes. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#closing.abort();
  }
}
