import { SkillError } from "./errors.ts";
import type { SessionStore, StoredActivation } from "./session-store.ts";

export interface SessionMemoryOptions {
  readonly id: string;
  readonly store: SessionStore | undefined;
  /** The most that instructions may take. */
  readonly budget: number;
}

/** What a conversation keeps from one request to the next: which skills are active, and what they have cost. */
export class SessionMemory {
  readonly active = new Map<string, StoredActivation>();
  readonly #options: SessionMemoryOptions;
  #spent = 0;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: SessionMemoryOptions) {
    if (!(options.budget >= 0))
      throw new SkillError("option-invalid", `A session's budget cannot be ${options.budget} tokens.`);
    this.#options = options;
  }

  async load(): Promise<void> {
    const state = await this.#options.store?.load(this.#options.id);
    this.#spent = state?.spent ?? 0;
    for (const activation of state?.active ?? []) this.active.set(activation.name, activation);
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

  /** One after the other, so that an older state never comes last. */
  async save(): Promise<void> {
    const { id, store } = this.#options;
    if (store === undefined) return;
    const saving = this.#saving.then(() => {
      const spent = this.#spent > 0 ? { spent: this.#spent } : {};
      return store.save(id, { version: 1, active: [...this.active.values()], ...spent });
    });
    this.#saving = saving.catch(() => {});
    try {
      await saving;
    } catch (error) {
      // What a store says is for the operator, not for a model.
      throw new SkillError("store-failed", "What this conversation has activated could not be saved.", {
        cause: error,
      });
    }
  }
}
