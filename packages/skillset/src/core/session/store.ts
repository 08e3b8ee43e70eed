import type { ActivatedBy } from "./ledger.ts";

/** What is kept of a session: names, digests and the catalog, never instructions. */
export interface SessionState {
  readonly version: 2;
  readonly active: readonly StoredActivation[];
  /** How many tokens instructions have taken. */
  readonly spent?: number;
  /** The catalog that the conversation began with; every later request repeats it. */
  readonly catalog?: StoredCatalog;
  /** What later messages added to it, the oldest first. */
  readonly notices?: readonly StoredNotice[];
}

export interface StoredActivation {
  readonly name: string;
  readonly digest: string;
  readonly by: ActivatedBy;
}

export interface StoredCatalog {
  readonly text: string;
  readonly tokens: number;
  /** Every skill that a model might activate then, also those that the text had no room for, by the description. */
  readonly skills: DescribedSkills;
  readonly shortened: readonly string[];
  readonly nameOnly: readonly string[];
  readonly omitted: readonly string[];
  /** Whether a skill of the set had tools. */
  readonly hasTools: boolean;
}

/** The names of skills, each with a mark that changes with its description. */
export type DescribedSkills = Readonly<Record<string, string>>;

/** What a request added to one of the person's messages, so that every later request adds it again. */
export interface StoredNotice {
  /** What stands for the message's words, and for those of the person's message before it. */
  readonly message: string;
  readonly after?: string;
  /** Which of the person's messages it was, from 0. */
  readonly position: number;
  /** The skill that the message invoked, by its instructions at that time. */
  readonly invoked?: StoredInstructions;
  /** Skills whose instructions were in no other message. */
  readonly given?: readonly StoredInstructions[];
  /** What the notice says. */
  readonly text?: string;
  /** What the model knows from the notice. */
  readonly added?: DescribedSkills;
  readonly removed?: readonly string[];
  readonly active?: readonly string[];
  readonly changed?: readonly { readonly name: string; readonly digest: string }[];
}

export interface StoredInstructions {
  readonly name: string;
  readonly digest: string;
  /** Whether the text says that the instructions had changed. */
  readonly changed: boolean;
  /** The instructions were in an earlier message, so the text only says so. */
  readonly repeated?: boolean;
}

/** Where sessions are kept between requests and restarts. */
export interface SessionStore {
  load(id: string): Promise<SessionState | undefined>;
  save(id: string, state: SessionState): Promise<void>;
}

/** Keeps sessions in memory, for one process. */
export class MemorySessionStore implements SessionStore {
  readonly #states = new Map<string, SessionState>();

  async load(id: string): Promise<SessionState | undefined> {
    return this.#states.get(id);
  }

  async save(id: string, state: SessionState): Promise<void> {
    this.#states.set(id, structuredClone(state));
  }
}
