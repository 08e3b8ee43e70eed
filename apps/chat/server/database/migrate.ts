import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { PACKAGE_FOLDER } from "../config/package-folder.ts";
import { StartError } from "../config/start-error.ts";
import type { Queries } from "./database.ts";

const FOLDER = fileURLToPath(new URL("server/database/migrations/", PACKAGE_FOLDER));

/** The first of the migrations that were joined to one, before anything was released. */
const BEFORE_RELEASE = "0001-chats.sql";

/** Applies each pending migration once, in order, in a single transaction. */
export async function migrate(
  queries: Queries,
  { isShared, hasRoom = () => true }: { readonly isShared: boolean; readonly hasRoom?: () => boolean },
): Promise<readonly string[]> {
  return queries.transaction(async (transaction) => {
    // Several servers may start at the same time.
    if (isShared) await transaction.execute(sql`SELECT pg_advisory_xact_lock(727356)`);
    await transaction.execute(sql`
      CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`);
    const { rows } = (await transaction.execute(sql`SELECT name FROM migrations`)) as { rows: { name: string }[] };
    const applied = new Set(rows.map(({ name }) => name));
    if (applied.has(BEFORE_RELEASE)) {
      throw new StartError(
        "A development version of the chat, from before the first release, created this database, and this version cannot read it. Nothing was changed. Set DATA_DIR or DATABASE_URL to a new place, or move the old one away. To keep its chats, export them with the version that created it.",
      );
    }
    const files = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));
    const unknown = [...applied].find((name) => !files.includes(name));
    if (unknown !== undefined) {
      throw new StartError(
        `A newer version of the chat has changed this database: the migration '${unknown}' is unknown. Upgrade the chat, or restore a backup.`,
      );
    }
    const missing = files.filter((name) => !applied.has(name)).sort();
    if (missing.length > 0 && !hasRoom()) {
      throw new StartError("Not enough disk space to upgrade the chat's database. Free some, then start again.");
    }
    for (const name of missing) {
      for (const statement of statementsOf(readFileSync(`${FOLDER}${name}`, "utf8"))) {
        await transaction.execute(sql.raw(statement));
      }
      await transaction.execute(sql`INSERT INTO migrations (name) VALUES (${name})`);
    }
    return missing;
  });
}

/** PGlite runs one statement at a time. A semicolon at the end of a line ends a statement. */
function statementsOf(text: string): readonly string[] {
  return text.split(/;\s*$/m).filter((statement) => statement.replace(/^[ \t]*--.*$/gm, "").trim() !== "");
}
