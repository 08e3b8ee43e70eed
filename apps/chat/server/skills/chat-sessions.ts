import type { Session, SessionStore } from "skillset";
import type { ActiveSkill } from "../../shared/api.ts";
import type { SessionObserver } from "./observe-session.ts";
import type { SkillRegistry } from "./registry.ts";

/** The skills of each chat. What is active is in the database, so any server can go on with any chat. */
export class ChatSessions {
  readonly #registry: SkillRegistry;
  readonly #store: SessionStore;
  /** Those used last: they know what a chat was given of skills that have changed since. */
  readonly #sessions = new Map<string, Promise<Session>>();

  constructor(registry: SkillRegistry, store: SessionStore) {
    this.#registry = registry;
    this.#store = store;
  }

  /** The chat's session over the skills as they are now; `observe` is told what happens in it from here on. */
  async open(chatId: string, observe?: SessionObserver): Promise<Session> {
    const { current, limits } = this.#registry;
    const known = this.#sessions.get(chatId);
    const opening = known ?? current.session({ id: chatId, store: this.#store, limits });
    // At once, so that a chat has one session however many ask for it.
    this.#remember(chatId, opening);
    const session = await opening.catch((error: unknown) => {
      this.#sessions.delete(chatId);
      throw error;
    });
    observe?.begin(session, known === undefined ? session.ledger : []);
    if (known !== undefined) await session.update(current);
    return session;
  }

  /** The chips of a chat. */
  async active(chatId: string): Promise<readonly ActiveSkill[]> {
    const { active = [] } = (await this.#store.load(chatId)) ?? {};
    return Promise.all(
      active.map(async ({ name, digest, by }) => {
        try {
          if (!this.#registry.current.has(name)) throw new Error(`'${name}' is not available`);
          const { tokens, changed } = await this.#registry.preview(name, { since: digest });
          return { name, by, tokens, isChanged: changed, isMissing: false };
        } catch {
          return { name, by, tokens: 0, isChanged: false, isMissing: true };
        }
      }),
    );
  }

  /** Unloads a skill; false when it was not active. */
  async unload(chatId: string, name: string): Promise<boolean> {
    const { active = [] } = (await this.#store.load(chatId)) ?? {};
    if (!active.some((one) => one.name === name)) return false;
    await (await this.open(chatId)).deactivate(name);
    return true;
  }

  #remember(chatId: string, session: Promise<Session>): void {
    this.#sessions.delete(chatId);
    this.#sessions.set(chatId, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > REMEMBERED && oldest !== undefined) this.#sessions.delete(oldest);
  }
}

const REMEMBERED = 100;
