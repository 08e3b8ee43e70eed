import type { Session, SessionStore } from "skillset";
import type { ActiveSkill } from "../../shared/api.ts";
import type { LiveScripts } from "./live-scripts.ts";
import type { SkillRegistry } from "./loaded-skills.ts";
import type { SessionObserver } from "./observe-session.ts";

/** The skill sessions of chats. Active skills are stored in the database, so any server can continue any chat. */
export class ChatSessions {
  readonly #registry: SkillRegistry;
  readonly #store: SessionStore;
  readonly #scripts: LiveScripts;
  /** The recently used sessions. They know which version of a skill a chat has received. */
  readonly #sessions = new Map<string, Promise<Session>>();

  constructor(registry: SkillRegistry, store: SessionStore, scripts: LiveScripts) {
    this.#registry = registry;
    this.#store = store;
    this.#scripts = scripts;
  }

  /** Returns the chat's session over the current skills. From now on, `observe` receives its events. */
  async open(chatId: string, observe?: SessionObserver): Promise<Session> {
    const { current, limits, policies } = this.#registry;
    const known = this.#sessions.get(chatId);
    const scripts = this.#scripts.hooksOf(chatId);
    const { triggers } = policies;
    const opening = known ?? current.session({ id: chatId, store: this.#store, limits, scripts, triggers });
    // Stored before the first await, so that concurrent calls share one session.
    this.#remember(chatId, opening);
    const session = await opening.catch((error: unknown) => {
      this.#sessions.delete(chatId);
      throw error;
    });
    observe?.begin(session, known === undefined ? session.ledger.entries : []);
    if (known !== undefined) await session.use(current);
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

  /** The catalog that the models of a chat see; undefined before the first message. */
  async catalog(chatId: string): Promise<string | undefined> {
    return (await this.#store.load(chatId))?.catalog?.text;
  }

  /** Unloads a skill. Returns false if it was not active. */
  async unload(chatId: string, name: string): Promise<boolean> {
    const { active = [] } = (await this.#store.load(chatId)) ?? {};
    if (!active.some((one) => one.name === name)) return false;
    await (await this.open(chatId)).deactivate(name);
    return true;
  }

  /** Reads the chat's session from the database when it is next used, because it was changed there. */
  forget(chatId: string): void {
    this.#sessions.delete(chatId);
  }

  #remember(chatId: string, session: Promise<Session>): void {
    this.#sessions.delete(chatId);
    this.#sessions.set(chatId, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > REMEMBERED && oldest !== undefined) this.#sessions.delete(oldest);
  }
}

const REMEMBERED = 100;
