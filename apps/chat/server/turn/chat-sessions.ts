import { estimateTokens, type Session, type SessionStore, type Skillset } from "skillset";
import type { ActiveSkill } from "../../shared/api.ts";
import { digestOf } from "../chats/skill-outputs.ts";
import type { SkillRegistry } from "../skills/registry.ts";

/** The skills of each chat. What is active is in the database, so any server can go on with any chat. */
export class ChatSessions {
  readonly #registry: SkillRegistry;
  readonly #store: SessionStore;
  /** The set that a chat's catalog lists, so that its bytes stay the same for the provider's prompt cache. */
  readonly #offered = new Map<string, Skillset>();

  constructor(registry: SkillRegistry, store: SessionStore) {
    this.#registry = registry;
    this.#store = store;
  }

  /** The chat's session over the skills as they are now. */
  async open(chatId: string): Promise<Session> {
    const { current, limits } = this.#registry;
    const offered = this.#offered.get(chatId) ?? current;
    this.#remember(chatId, offered);
    // What is active may be newer than the catalog, so it is taken up only over the skills of now.
    let isCurrent = false;
    const store: SessionStore = {
      load: async (id) => (isCurrent ? this.#store.load(id) : undefined),
      save: (id, state) => this.#store.save(id, state),
    };
    const session = await offered.session({ id: chatId, store, limits });
    await session.update(current);
    isCurrent = true;
    await session.restore();
    return session;
  }

  /** The chips of a chat. */
  async active(chatId: string): Promise<readonly ActiveSkill[]> {
    const { active = [] } = (await this.#store.load(chatId)) ?? {};
    if (active.length === 0) return [];
    const aside = await this.#registry.openAside();
    return Promise.all(
      active.map(async ({ name, digest, by }) => {
        try {
          const tokens = estimateTokens(await aside.recall(name));
          const isChanged = digestOf((await aside.skillset.get(name)?.instructions()) ?? "") !== digest;
          return { name, by, tokens, isChanged, isMissing: false };
        } catch {
          return { name, by, tokens: 0, isChanged: false, isMissing: true };
        }
      }),
    );
  }

  /** Unloads a skill; false when it was not active. */
  async unload(chatId: string, name: string): Promise<boolean> {
    const state = await this.#store.load(chatId);
    const left = state?.active.filter((one) => one.name !== name) ?? [];
    if (state === undefined || left.length === state.active.length) return false;
    await this.#store.save(chatId, { ...state, active: left });
    return true;
  }

  #remember(chatId: string, offered: Skillset): void {
    this.#offered.delete(chatId);
    this.#offered.set(chatId, offered);
    const [oldest] = this.#offered.keys();
    if (this.#offered.size > REMEMBERED && oldest !== undefined) this.#offered.delete(oldest);
  }
}

const REMEMBERED = 1_000;
