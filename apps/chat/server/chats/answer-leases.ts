import { randomUUID } from "node:crypto";
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { answers } from "../database/schema.ts";

export interface AnswerClaim {
  readonly chatId: string;
  /** The id of the future answer message. */
  readonly answerId: string;
  readonly modelId: string;
}

export interface AnswerLeasesOptions {
  /** Stores what there is of answers that their servers left unfinished, and returns their chats. */
  readonly recover: (queries: Queries, which: SQL) => Promise<readonly string[]>;
  readonly seconds?: number | undefined;
}

/**
 * Records in the shared database which server is answering which chat. Each server renews its leases every few seconds.
 * When a lease expires, its server counts as dead and the answer is marked as cut off. All times are database times.
 */
export class AnswerLeases {
  readonly seconds: number;
  readonly server = randomUUID();
  readonly #recover: AnswerLeasesOptions["recover"];

  constructor({ recover, seconds = 15 }: AnswerLeasesOptions) {
    this.#recover = recover;
    this.seconds = seconds;
  }

  /** Allows one running answer per chat across all servers. */
  async claim(queries: Queries, { chatId, answerId, modelId }: AnswerClaim): Promise<boolean> {
    const claimed = await queries
      .insert(answers)
      .values({ chatId, id: answerId, modelId, server: this.server, leaseUntil: this.end() })
      .onConflictDoNothing()
      .returning({ id: answers.id });
    return claimed.length > 0;
  }

  /** Returns false if the lease was already lost. */
  async release(queries: Queries, chatId: string, answerId: string): Promise<boolean> {
    const isIt = and(eq(answers.chatId, chatId), eq(answers.id, answerId));
    return (await queries.delete(answers).where(isIt).returning({ id: answers.id })).length > 0;
  }

  async renew(queries: Queries): Promise<void> {
    await queries.update(answers).set({ leaseUntil: this.end() }).where(eq(answers.server, this.server));
  }

  async stateOf(queries: Queries, chatId: string): Promise<"none" | "alive" | "dead"> {
    const isAlive = sql<boolean>`${answers.leaseUntil} >= now()`;
    const [found] = await queries.select({ isAlive }).from(answers).where(eq(answers.chatId, chatId));
    return found === undefined ? "none" : found.isAlive ? "alive" : "dead";
  }

  /** Stores what there is of each answer whose server died, in one chat or in all, and returns their chats. */
  cutDead(queries: Queries, chatId?: string): Promise<readonly string[]> {
    const isDead = sql`${answers.leaseUntil} < now()`;
    return this.#recover(queries, chatId === undefined ? isDead : sql`${isDead} AND ${answers.chatId} = ${chatId}`);
  }

  /** Does the same for leases of this server that it does not know: the claim was stored, but its response was lost. */
  async cutForgotten(queries: Queries, known: () => readonly string[]): Promise<readonly string[]> {
    const own = await queries.select({ id: answers.id }).from(answers).where(eq(answers.server, this.server));
    // `known` is read after the query, because an answer is registered here before it is claimed in the database.
    const ids = new Set(known());
    const forgotten = own.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
    return forgotten.length === 0 ? [] : this.#recover(queries, inArray(answers.id, forgotten));
  }

  /** Does the same for all answers that were running when the only server of a database stopped. */
  cutAll(queries: Queries): Promise<readonly string[]> {
    return this.#recover(queries, sql`true`);
  }

  /** When a lease that is taken or renewed now ends. */
  end(): SQL<Date> {
    return sql`now() + make_interval(secs => ${this.seconds})`;
  }
}
