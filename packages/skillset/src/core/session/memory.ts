import { SkillError } from "../base/errors.ts";
import type { ConversationEvent } from "../conversation/reduce.ts";
import { SavedState } from "../conversation/saved-state.ts";
import type { SessionState, StoredActivation, StoredCatalog, StoredNotice } from "../conversation/state.ts";
import type { SessionStore } from "../conversation/store.ts";

export interface SessionMemoryOptions {
  readonly id: string;
  readonly store: SessionStore | undefined;
  /** The maximum number of tokens for instructions. */
  readonly budget: number;
}

/** The state that a conversation keeps between requests: active skills, their cost, and what the model has seen. */
export class SessionMemory {
  readonly #budget: number;
  readonly #saved: SavedState;
  #active:
    | { readonly of: readonly StoredActivation[]; readonly byName: ReadonlyMap<string, StoredActivation> }
    | undefined;
  /** The active skills that are disabled or deleted. They are active again when they return. */
  #missing: ReadonlySet<string> = new Set();
  #exists: (name: string) => boolean = () => true;

  constructor({ id, store, budget }: SessionMemoryOptions) {
    checkBudget(budget);
    this.#budget = budget;
    this.#saved = new SavedState(id, store);
  }

  /** The active skills, in activation order. */
  get active(): ReadonlyMap<string, StoredActivation> {
    if (this.#missing.size === 0) return this.activations;
    return new Map([...this.activations].filter(([name]) => !this.#missing.has(name)));
  }

  /** The active skills, and those that are active again when they return. */
  get activations(): ReadonlyMap<string, StoredActivation> {
    const { active: of } = this.#saved.current;
    if (this.#active?.of !== of) this.#active = { of, byName: new Map(of.map((one) => [one.name, one])) };
    return this.#active.byName;
  }

  /** Takes skills that do not exist out of the active ones, until they exist again. */
  review(exists: (name: string) => boolean): void {
    this.#exists = exists;
    this.#missing = new Set([...this.activations.keys()].filter((name) => !exists(name)));
  }

  isMissing(name: string): boolean {
    return this.#missing.has(name);
  }

  /** The state as it is stored. */
  get state(): SessionState {
    return this.#saved.current;
  }

  /** The catalog of the first request. Undefined before it. */
  get catalog(): StoredCatalog | undefined {
    return this.#saved.current.catalog;
  }

  get notices(): readonly StoredNotice[] {
    return this.#saved.current.notices;
  }

  /** Loads the state from the store. Does nothing without a store. */
  async load(): Promise<void> {
    await this.#saved.load();
    this.review(this.#exists);
  }

  /** Applies events, which are saved with the next ones that are committed. */
  apply(events: readonly ConversationEvent[]): void {
    this.#found(events);
    this.#saved.apply(events);
  }

  /** Applies events and saves the state. Reverts them if saving fails. */
  async commit(events: readonly ConversationEvent[]): Promise<void> {
    this.#found(events);
    await this.#saved.commit(events);
  }

  /** A host may record the activation of a skill that the session does not have. */
  #found(events: readonly ConversationEvent[]): void {
    const names = new Set(events.flatMap((event) => (event.type === "activated" ? [event.skill.name] : [])));
    if (names.size > 0) this.#missing = new Set([...this.#missing].filter((name) => !names.has(name)));
  }

  /** The tokens that instructions may still have. */
  get left(): number {
    return Math.max(0, this.#budget - this.#saved.current.spent);
  }

  /** Throws if the tokens of instructions exceed the budget. */
  requireBudget(name: string, tokens: number): void {
    const { left } = this;
    if (tokens <= left) return;
    const message = `Activating '${name}' takes about ${tokens} tokens, but only ${left} of ${this.#budget} skill tokens remain. Continue without it.`;
    throw new SkillError("budget-exceeded", message);
  }
}

/** The same for those who only read. */
export type ReadonlyMemory = Omit<SessionMemory, "review" | "load" | "apply" | "commit">;

/** Throws if a number of tokens cannot be a budget. */
export function checkBudget(tokens: number): void {
  if (tokens >= 0) return;
  throw new SkillError("option-invalid", `'budget.tokens' must be 0 or more, not ${tokens}.`);
}
