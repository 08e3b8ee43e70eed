import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openMemory } from "../testing/memory-database.ts";
import { migrate } from "./migrate.ts";

test("migrations are idempotent, upgrade an older database and refuse a newer one", async () => {
  const { queries, close } = await openMemory();
  try {
    expect(await migrate(queries, { isShared: false })).toEqual([]);
    expect(await migrate(queries, { isShared: true })).toEqual([]);
    // The state after the first migration: a chat, and no skill tables.
    await queries.execute(sql`DROP TABLE chat_skills, skill_switches, skill_usage`);
    await queries.execute(sql`DELETE FROM migrations WHERE name = '0002-skills.sql'`);
    await queries.execute(sql`INSERT INTO chats (id, title, title_words, model_id) VALUES ('old', 'Old', 'old', 'x')`);
    expect(await migrate(queries, { isShared: false })).toEqual(["0002-skills.sql"]);
    expect(await queries.execute(sql`SELECT id FROM chats`)).toMatchObject({ rows: [{ id: "old" }] });
    expect(await queries.execute(sql`SELECT * FROM chat_skills`)).toMatchObject({ rows: [] });
    await queries.execute(sql`INSERT INTO migrations (name) VALUES ('9999-later.sql')`);
    await expect(migrate(queries, { isShared: false })).rejects.toThrow(
      "A newer version of the chat has changed this database: the migration '9999-later.sql'",
    );
  } finally {
    await close();
  }
});
