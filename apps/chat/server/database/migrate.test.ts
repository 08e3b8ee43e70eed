import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openMemory } from "../testing/memory-database.ts";
import { migrate } from "./migrate.ts";

test("migrations are idempotent, apply what is missing and refuse a newer database", async () => {
  const { queries, close } = await openMemory();
  try {
    expect(await migrate(queries, { isShared: false })).toEqual([]);
    expect(await migrate(queries, { isShared: true })).toEqual([]);
    await queries.execute(sql`INSERT INTO migrations (name) VALUES ('9999-later.sql')`);
    await expect(migrate(queries, { isShared: false })).rejects.toThrow(
      "A newer version of the chat has changed this database: the migration '9999-later.sql'",
    );
    await queries.execute(sql`DROP SCHEMA public CASCADE`);
    await queries.execute(sql`CREATE SCHEMA public`);
    expect(await migrate(queries, { isShared: false })).toEqual(["0001-schema.sql"]);
    expect(await queries.execute(sql`SELECT * FROM chats`)).toMatchObject({ rows: [] });
  } finally {
    await close();
  }
});

test("a database of a development version from before the first release is refused, and stays as it is", async () => {
  const { queries, close } = await openMemory();
  try {
    await queries.execute(sql`DELETE FROM migrations`);
    await queries.execute(sql`INSERT INTO migrations (name) VALUES ('0001-chats.sql'), ('0002-skills.sql')`);
    await queries.execute(sql`ALTER TABLE chats DROP COLUMN owner`);
    await queries.execute(sql`INSERT INTO chats (id, title, title_words, model_id) VALUES ('old', 'Old', 'old', 'x')`);
    await expect(migrate(queries, { isShared: false })).rejects.toThrow(
      /^A development version of the chat, from before the first release, created this database.*Nothing was changed\. Set DATA_DIR or DATABASE_URL to a new place/,
    );
    expect(await queries.execute(sql`SELECT id FROM chats`)).toMatchObject({ rows: [{ id: "old" }] });
    expect(await queries.execute(sql`SELECT count(*)::integer AS count FROM migrations`)).toMatchObject({
      rows: [{ count: 2 }],
    });
  } finally {
    await close();
  }
});
