import { eq } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { skillSwitches } from "../database/schema.ts";

/** Stores which skills an admin has disabled. All others are enabled. */
export class SwitchStore {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async disabled(): Promise<readonly string[]> {
    return (await this.#queries.select().from(skillSwitches).orderBy(skillSwitches.name)).map(({ name }) => name);
  }

  async set(name: string, isEnabled: boolean): Promise<void> {
    if (isEnabled) await this.#queries.delete(skillSwitches).where(eq(skillSwitches.name, name));
    else await this.#queries.insert(skillSwitches).values({ name }).onConflictDoNothing();
  }
}
