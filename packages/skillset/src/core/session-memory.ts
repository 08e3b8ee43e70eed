import { SkillError } from "./errors.ts";
import type { SessionState, SessionStore, StoredActivation, StoredCatalog, StoredNotice } from "./session-store.ts";

export interface SessionMemoryOptions {
  readonly id: string;
  readonly store: SessionStore | undefined;
  /** The most tokens that instructions may take. */
  readonly budget: number;
}

/** What a conversation keeps from one request to the next: active skills, their cost, and what the model was shown. */
export class SessionMemory {
  readonly #options: SessionMemoryOptions;
  #active = new Map<string, StoredActivation>();
  #catalog: StoredCatalog | undefined;
  #notices: readonly StoredNotice[] = [];
  #spent = 0;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: SessionMemoryOptions) {
    if (!(options.budget >= 0))
      throw new SkillError("option-invalid", `A session's budget cannot be ${options.budget} tokens.`);
    this.#options = options;
  }

  /** The active skills, in the order of their activation. */
  get active(): ReadonlyMap<string, StoredActivation> {
    return this.#active;
  }

  /** The catalog that the conversation began with; undefined before the first request. */
  get catalog(): StoredCatalog | undefined {
    return this.#catalog;
  }

  get notices(): readonly StoredNotice[] {
    return this.#notices;
  }

  /** Takes up what the store has; without a store nothing changes. */
  async load(): Promise<void> {
    const { id, store } = this.#options;
    if (store === undefined) return;
    // A save under way would otherwise be undone in memory.
    await this.#saving;
    const state = await store.load(id);
    if (state === undefined) return;
    checkVersion(state);
    this.#spent = state.spent ?? 0;
    this.#active = new Map(state.active.map((activation) => [activation.name, activation]));
    this.#catalog = state.catalog;
    this.#notices = state.notices ?? [];
  }

  /** Adds a skill, or takes its new instructions; its place in the order stays. */
  activate(activation: StoredActivation): void {
    if (this.#active.get(activation.name)?.digest !== activation.digest) this.#active.set(activation.name, activation);
  }

  deactivate(name: string): boolean {
    return this.#active.delete(name);
  }

  /** Keeps the catalog of the first request for all later ones. */
  show(catalog: StoredCatalog): StoredCatalog {
    this.#catalog = catalog;
    return catalog;
  }

  addNotice(notice: StoredNotice): void {
    this.#notices = [...this.#notices, notice].slice(-MOST_NOTICES);
  }

  /** Counts the tokens of instructions; throws when they are more than are left. */
  spend(name: string, tokens: number): void {
    const { budget } = this.#options;
    const left = Math.max(0, budget - this.#spent);
    if (tokens > left) {
      const message = `Activating '${name}' would take about ${tokens} tokens, and of ${budget} for skills ${left} are left. Go on with what you have.`;
      throw new SkillError("budget-exceeded", message);
    }
    this.#spent += tokens;
  }

  /** One save after the other, so that an older state never comes last. */
  async save(): Promise<void> {
    const { id, store } = this.#options;
    if (store === undefined) return;
    const saving = this.#saving.then(() => store.save(id, this.#state));
    this.#saving = saving.catch(() => {});
    try {
      await saving;
    } catch (error) {
      // The store's own words are for the operator, not for a model.
      throw new SkillError("store-failed", "What this conversation has activated could not be saved.", {
        cause: error,
      });
    }
  }

  get #state(): SessionState {
    return {
      version: 2,
      active: [...this.#active.values()],
      ...(this.#spent > 0 && { spent: this.#spent }),
      ...(this.#catalog !== undefined && { catalog: this.#catalog }),
      ...(this.#notices.length > 0 && { notices: this.#notices }),
    };
  }
}

/** Version 1 is version 2 without catalog and notices. */
function checkVersion({ version }: { readonly version: number }): void {
  if (version === 1 || version === 2) return;
  const message = `The stored session has version ${version}; this release reads versions 1 and 2. Update skillset.`;
  throw new SkillError("store-failed", message);
}

/** A conversation with more changes than this forgets the oldest, and tells the model what still holds again. */
const MOST_NOTICES = 500;
