import { SkillError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { checkState } from "./check-state.ts";
import type {
  SessionState,
  SessionStore,
  StoredActivation,
  StoredCatalog,
  StoredInstructions,
  StoredNotice,
} from "./store.ts";

export interface SessionMemoryOptions {
  readonly id: string;
  readonly store: SessionStore | undefined;
  /** The maximum number of tokens for instructions. */
  readonly budget: number;
}

/** The state that a conversation keeps between requests: active skills, their cost, and what the model has seen. */
export class SessionMemory {
  readonly #options: SessionMemoryOptions;
  #activations = new Map<string, StoredActivation>();
  /** Those of skills that are disabled or deleted. They are active again when they return. */
  #missing = new Set<string>();
  #exists: (name: string) => boolean = () => true;
  #catalog: StoredCatalog | undefined;
  #notices: readonly StoredNotice[] = [];
  #spent = 0;
  /** Incremented on every change, so that older state never replaces newer state. */
  #revision = 0;
  #saved = 0;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: SessionMemoryOptions) {
    checkBudget(options.budget);
    this.#options = options;
  }

  /** The active skills, in activation order. */
  get active(): ReadonlyMap<string, StoredActivation> {
    if (this.#missing.size === 0) return this.#activations;
    return new Map([...this.#activations].filter(([name]) => !this.#missing.has(name)));
  }

  /** The active skills, and those that are active again when they return. */
  get activations(): ReadonlyMap<string, StoredActivation> {
    return this.#activations;
  }

  /** Takes skills that do not exist out of the active ones, until they exist again. */
  review(exists: (name: string) => boolean): void {
    this.#exists = exists;
    this.#missing = new Set([...this.#activations.keys()].filter((name) => !exists(name)));
  }

  isMissing(name: string): boolean {
    return this.#missing.has(name);
  }

  /** Every skill that the conversation has had, as far as the state knows. */
  get names(): readonly string[] {
    const told = this.#notices.flatMap(({ added, invoked = [], triggered = [], given = [] }) => [
      ...Object.keys(added ?? {}),
      ...[...invoked, ...triggered, ...given].map(({ name }) => name),
    ]);
    return [...this.#activations.keys(), ...Object.keys(this.#catalog?.skills ?? {}), ...told];
  }

  /** The catalog of the first request. Undefined before it. */
  get catalog(): StoredCatalog | undefined {
    return this.#catalog;
  }

  get notices(): readonly StoredNotice[] {
    return this.#notices;
  }

  /** Loads the state from the store. Does nothing without a store. */
  async load(): Promise<void> {
    const { id, store } = this.#options;
    if (store === undefined) return;
    for (;;) {
      await this.#saving;
      const before = this.#revision;
      const state = await store.load(id);
      // Changes made during the load are newer than the loaded state.
      if (this.#revision !== before) continue;
      // Many stores return null for what they do not have.
      if (state != null) this.#take(state);
      return;
    }
  }

  #take(state: unknown): void {
    checkState(state);
    this.#spent = state.spent ?? 0;
    this.#activations = new Map(state.active.map((activation) => [activation.name, activation]));
    this.#catalog = state.catalog;
    this.#notices = (state.notices ?? []).map(withList);
    this.review(this.#exists);
  }

  /** Adds a skill, or updates its instructions without changing its position. */
  activate(activation: StoredActivation): void {
    const known = this.#activations.get(activation.name);
    if (known?.digest === activation.digest && known.arguments === activation.arguments) return;
    this.#revision++;
    const by = known?.digest === activation.digest ? known.by : activation.by;
    this.#activations.set(activation.name, { ...activation, by });
    // A host may record one that the session does not have.
    this.#missing.delete(activation.name);
  }

  /** Removes a skill that was deactivated, with the copies of its instructions in notices. */
  deactivate(name: string): boolean {
    this.#revision++;
    if (!this.#activations.delete(name)) return false;
    const without = (stored: readonly StoredInstructions[]) => stored.filter((one) => one.name !== name);
    this.#notices = this.#notices.map(({ invoked, triggered, given, ...notice }) => ({
      ...notice,
      ...(invoked !== undefined && { invoked: without(invoked) }),
      // Without any, the message triggers again when it is asked again, as a regenerated answer in a chat does.
      ...(triggered?.some((one) => one.name !== name) && { triggered: without(triggered) }),
      ...(given !== undefined && { given: without(given) }),
    }));
    return true;
  }

  /** Stores the catalog of the first request for all later ones. */
  show(catalog: StoredCatalog): StoredCatalog {
    this.#revision++;
    this.#catalog = catalog;
    return catalog;
  }

  addNotice(notice: StoredNotice): void {
    this.#revision++;
    const all = [...this.#notices, notice];
    const size = all.reduce((sum, { text = "" }) => sum + text.length, 0);
    // Drops half at once, because each drop changes the prefix of requests.
    const { notices, noticeCharacters } = LIMITS.soft;
    this.#notices = all.length > notices || size > noticeCharacters ? all.slice(Math.floor(all.length / 2)) : all;
  }

  /** Whether there are unsaved changes. */
  get isDirty(): boolean {
    return this.#revision !== this.#saved;
  }

  /** Applies a change and saves it. Reverts the change if saving fails. */
  async commit(change: () => void): Promise<void> {
    const before = { active: new Map(this.#activations), notices: this.#notices, spent: this.#spent };
    change();
    const revision = this.#revision;
    try {
      await this.save();
    } catch (error) {
      if (this.#revision === revision) {
        this.#activations = before.active;
        this.#notices = before.notices;
        this.#spent = before.spent;
      }
      throw error;
    }
  }

  /** The tokens that instructions may still have. */
  get left(): number {
    return Math.max(0, this.#options.budget - this.#spent);
  }

  /** Adds the tokens of instructions. Throws if they exceed the budget. */
  spend(name: string, tokens: number): void {
    const { budget } = this.#options;
    const { left } = this;
    if (tokens > left) {
      const message = `Activating '${name}' takes about ${tokens} tokens, but only ${left} of ${budget} skill tokens remain. Continue without it.`;
      throw new SkillError("budget-exceeded", message);
    }
    this.count(tokens);
  }

  /** Adds the tokens of instructions that the model already has. */
  count(tokens: number): void {
    this.#revision++;
    this.#spent += tokens;
  }

  /** Saves one state at a time, so that an older one never overwrites a newer one. */
  async save(): Promise<void> {
    const { id, store } = this.#options;
    if (store === undefined) return;
    const saving = this.#saving.then(async () => {
      const revision = this.#revision;
      await store.save(id, this.#state);
      this.#saved = revision;
    });
    this.#saving = saving.catch(() => {});
    try {
      await saving;
    } catch (error) {
      // The store's message is for the operator, not for a model.
      throw new SkillError("store-failed", "The session's state could not be saved.", {
        cause: error,
      });
    }
  }

  get #state(): SessionState {
    return {
      version: 2,
      active: [...this.#activations.values()],
      ...(this.#spent > 0 && { spent: this.#spent }),
      ...(this.#catalog !== undefined && { catalog: this.#catalog }),
      ...(this.#notices.length > 0 && { notices: this.#notices }),
    };
  }
}

/** Throws if a number of tokens cannot be a budget. */
export function checkBudget(tokens: number): void {
  if (tokens >= 0) return;
  throw new SkillError("option-invalid", `'budget.tokens' must be 0 or more, not ${tokens}.`);
}

/** Earlier releases stored one invoked skill instead of a list. */
function withList({ invoked, ...notice }: StoredNotice): StoredNotice {
  return invoked === undefined ? notice : { ...notice, invoked: [invoked].flat() };
}
