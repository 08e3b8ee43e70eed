import { SkillError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { SessionState, SessionStore, StoredActivation, StoredCatalog, StoredNotice } from "./store.ts";

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
  /** Grows with every change, so that nothing older replaces it. */
  #revision = 0;
  #saved = 0;
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
    for (;;) {
      await this.#saving;
      const before = this.#revision;
      const state = await store.load(id);
      // What happened in the meantime is newer than what was loaded.
      if (this.#revision !== before) continue;
      // Many stores return null for what they do not have.
      if (state != null) this.#take(state);
      return;
    }
  }

  #take(state: SessionState): void {
    checkState(state);
    this.#spent = state.spent ?? 0;
    this.#active = new Map(state.active.map((activation) => [activation.name, activation]));
    this.#catalog = state.catalog;
    this.#notices = state.notices ?? [];
  }

  /** Adds a skill, or takes its new instructions; its place in the order stays. */
  activate(activation: StoredActivation): void {
    if (this.#active.get(activation.name)?.digest === activation.digest) return;
    this.#revision++;
    this.#active.set(activation.name, activation);
  }

  /** A skill that was unloaded: what notices repeat of its instructions goes too. */
  deactivate(name: string): boolean {
    if (!this.forget(name)) return false;
    this.#notices = this.#notices.map(({ invoked, given, ...notice }) => ({
      ...notice,
      ...(invoked !== undefined && invoked.name !== name && { invoked }),
      ...(given !== undefined && { given: given.filter((one) => one.name !== name) }),
    }));
    return true;
  }

  /** A skill that vanished: what the conversation has of it stays, so that requests begin with the same bytes. */
  forget(name: string): boolean {
    this.#revision++;
    return this.#active.delete(name);
  }

  /** Keeps the catalog of the first request for all later ones. */
  show(catalog: StoredCatalog): StoredCatalog {
    this.#revision++;
    this.#catalog = catalog;
    return catalog;
  }

  addNotice(notice: StoredNotice): void {
    this.#revision++;
    const all = [...this.#notices, notice];
    const size = all.reduce((sum, { text = "" }) => sum + text.length, 0);
    // Half at once, because each loss changes how requests begin.
    const { notices, noticeCharacters } = LIMITS.soft;
    this.#notices = all.length > notices || size > noticeCharacters ? all.slice(Math.ceil(all.length / 2)) : all;
  }

  /** Whether something changed that was not saved. */
  get isDirty(): boolean {
    return this.#revision !== this.#saved;
  }

  /** Changes and saves; what could not be saved is as it was before. */
  async commit(change: () => void): Promise<void> {
    const before = { active: new Map(this.#active), notices: this.#notices, spent: this.#spent };
    change();
    const revision = this.#revision;
    try {
      await this.save();
    } catch (error) {
      if (this.#revision === revision) {
        this.#active = before.active;
        this.#notices = before.notices;
        this.#spent = before.spent;
      }
      throw error;
    }
  }

  /** Counts the tokens of instructions; throws when they are more than are left. */
  spend(name: string, tokens: number): void {
    const { budget } = this.#options;
    const left = Math.max(0, budget - this.#spent);
    if (tokens > left) {
      const message = `Activating '${name}' would take about ${tokens} tokens, and of ${budget} for skills ${left} are left. Go on with what you have.`;
      throw new SkillError("budget-exceeded", message);
    }
    this.count(tokens);
  }

  /** Counts the tokens of instructions that the model has anyway. */
  count(tokens: number): void {
    this.#revision++;
    this.#spent += tokens;
  }

  /** One save after the other, so that an older state never comes last. */
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
function checkState({ version, active }: { readonly version: number; readonly active: unknown }): void {
  if ((version === 1 || version === 2) && Array.isArray(active)) return;
  const message =
    typeof version === "number" && version > 2
      ? `The stored session has version ${version}; this release reads versions 1 and 2. Update skillset.`
      : "The store returned a value that is not the state of a session. Return what save() received, or undefined.";
  throw new SkillError("store-failed", message);
}
