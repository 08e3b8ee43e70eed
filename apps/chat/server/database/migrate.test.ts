import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openMemory } from "../testing/memory-database.ts";
import { migrate } from "./migrate.ts";

test("twice is harmless, an older database is brought up to date, a newer one is refused", async () => {
  const { queries, close } = await openMemory();
  try {
    expect(await migrate(queries, { isShared: false })).toEqual([]);
    expect(await migrate(queries, { isShared: true })).toEqual([]);
    // As the first version left it: with a chat, and without anything about skills.
    await queries.execute(sql`DROP TABLE chat_skills, skill_switches, skill_usage`);
    await queries.execute(sql`DELETE FROM migrations WHERE name = '0002-skills.sql'`);
    await queries.execute(sql`INSERT INTO chats (id, title, title_words, model_id) VALUES ('old', 'Old', 'old', 'x')`);
    expect(await migrate(queries, { isShared: false })).toEqual(["0002-skills.sql"]);
    expect(await queries.execute(sql`SELECT id FROM chats`)).toMatchObject({ rows: [{ id: "old" }] });
    expect(await queries.execute(sql`SELECT * FROM chat_skills`)).toMatchObject({ rows: [] });
    await queries.execute(sql`INSERT INTO migrations (name) VALUES ('9999-later.sql')`);
    await expect(migrate(queries, { isShared: false })).rejects.toThrow("newer version of the chat: '9999-later.sql'");
  } finally {
    await close();
  }
});
