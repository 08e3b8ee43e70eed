import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { BranchStore } from "../chats/branch-store.ts";
import { showBranch } from "../chats/branches.ts";
import { openMemory } from "../testing/memory-database.ts";
import type { Database } from "./database.ts";
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

test("replaced messages of an older version become branches", async () => {
  const { queries, close } = await openMemory();
  try {
    await queries.execute(sql`ALTER TABLE messages DROP COLUMN parent_id, DROP COLUMN is_shown, DROP COLUMN tail`);
    await queries.execute(sql`ALTER TABLE chats DROP COLUMN branch`);
    for (const statement of OLD_TABLES) await queries.execute(sql.raw(statement));
    await queries.execute(sql`DELETE FROM migrations WHERE name = '0012-branches.sql'`);
    expect(await migrate(queries, { isShared: false })).toEqual(["0012-branches.sql"]);
    const branches = new BranchStore({ queries } as Database, { stateOf: async () => "none" });
    const tree = async () =>
      (await branches.tree("c")).map(({ id, parentId, isShown }) => `${parentId} ${id}${isShown ? "" : " hidden"}`);
    expect(await tree()).toEqual([
      "undefined q",
      "q a1 hidden",
      "a1 q2 hidden",
      "q2 a2 hidden",
      "a1 q2-r2 hidden",
      "q2-r2 a3 hidden",
      "q a4",
      "undefined q-r3 hidden",
      "q-r3 a5 hidden",
    ]);
    const shown = async () =>
      (await tree()).filter((line) => !line.endsWith("hidden")).map((line) => line.split(" ")[1]);
    await queries.transaction((transaction) => showBranch(transaction, "c", "a1"));
    expect(await shown()).toEqual(["q", "a1", "q2-r2", "a3"]);
    await queries.transaction((transaction) => showBranch(transaction, "c", "q2"));
    expect(await shown()).toEqual(["q", "a1", "q2", "a2"]);
    await queries.transaction((transaction) => showBranch(transaction, "c", "q-r3"));
    expect(await shown()).toEqual(["q-r3", "a5"]);
    const skills = await queries.execute(sql`SELECT name, activated_by FROM chat_skills WHERE chat_id = 'c'`);
    expect(skills).toMatchObject({ rows: [{ name: "notes", activated_by: "user" }] });
  } finally {
    await close();
  }
});

const OLD_MESSAGE = "position bigint NOT NULL, role text, parts jsonb, metadata jsonb, words text";

/** A question with two answers, an edited second question, and an edit of the first one that was undone. */
const OLD_TABLES = [
  `CREATE TABLE replacements (id text PRIMARY KEY, chat_id text NOT NULL, place bigint NOT NULL, count integer,
    excerpt text, skills jsonb NOT NULL, deleted_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE TABLE replaced_messages (replacement_id text NOT NULL, id text NOT NULL, ${OLD_MESSAGE})`,
  `INSERT INTO chats (id, title, title_words, model_id) VALUES ('c', 'C', 'c', 'x')`,
  `INSERT INTO messages (chat_id, id, position, role, parts, metadata, words) VALUES
    ('c', 'q', 107, 'user', '[{"type": "text", "text": "first"}]', '{}', ''), ('c', 'a4', 108, 'assistant', '[{"type": "text", "text": "a4"}]', '{}', '')`,
  `INSERT INTO replacements (id, chat_id, place, skills) VALUES
    ('r1', 'c', 102, '[]'), ('r2', 'c', 0, '[]'),
    ('r3', 'c', 0, '[{"name": "notes", "digest": "d", "by": "user"}]')`,
  `INSERT INTO replaced_messages VALUES
    ('r1', 'q2', 103, 'user', '[{"type": "text", "text": "second"}]', '{}', ''), ('r1', 'a2', 104, 'assistant', '[{"type": "text", "text": "a2"}]', '{}', ''),
    ('r2', 'q', 101, 'user', '[{"type": "text", "text": "first"}]', '{}', ''), ('r2', 'a1', 102, 'assistant', '[{"type": "text", "text": "a1"}]', '{}', ''),
    ('r2', 'q2', 105, 'user', '[{"type": "text", "text": "second, edited"}]', '{}', ''), ('r2', 'a3', 106, 'assistant', '[{"type": "text", "text": "a3"}]', '{}', ''),
    ('r3', 'q', 109, 'user', '[{"type": "text", "text": "edited"}]', '{}', ''), ('r3', 'a5', 110, 'assistant', '[{"type": "text", "text": "a5"}]', '{}', '')`,
];
