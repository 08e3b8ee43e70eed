import { and, eq } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { scriptConsents } from "../database/schema.ts";

/** Stores the versions of skills whose scripts an admin has allowed to run without asking. */
export class ConsentStore {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async has(skill: string, digest: string): Promise<boolean> {
    const isIt = and(eq(scriptConsents.skill, skill), eq(scriptConsents.digest, digest));
    return (await this.#queries.select().from(scriptConsents).where(isIt)).length > 0;
  }

  /** Forgets all versions of a skill. */
  async revoke(skill: string): Promise<void> {
    await this.#queries.delete(scriptConsents).where(eq(scriptConsents.skill, skill));
  }

  async allow(skill: string, digest: string): Promise<void> {
    await this.#queries.insert(scriptConsents).values({ skill, digest }).onConflictDoNothing();
  }
}
