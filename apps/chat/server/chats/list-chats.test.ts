import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import type { ChatPage } from "../../shared/api.ts";
import { emptyDatabase, openChat, type TestChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

/** Adds chats, several with the same time. */
const fill = (chat: TestChat, count: number) =>
  chat.services.database.queries.execute(sql`
    INSERT INTO chats (id, owner, title, title_words, model_id, updated_at)
    SELECT 'c' || n, 'local', 'Chat ' || n, 'chat ' || n, 'offline', timestamptz '2026-01-01' + (n / 7) * interval '1 microsecond'
    FROM generate_series(1, ${count}::integer) AS n`);

const pageOf = (chat: TestChat, before?: string) =>
  chat.get<ChatPage>(before === undefined ? "/api/chats" : `/api/chats?before=${before}`);

test("pages of chats have each chat once, newest first, also if chats change in between", async () => {
  const chat = await openChat();
  await fill(chat, 250);
  const first = await pageOf(chat);
  expect(first.chats).toHaveLength(100);
  // The last chat of the page moves to the top, the next one to the bin.
  const { next = "" } = first;
  const last = first.chats.at(-1)?.id ?? "";
  await chat.call("PATCH", `/api/chats/${last}`, { title: "Moved" });
  const second = await pageOf(chat, next);
  await chat.call("DELETE", `/api/chats/${second.chats[0]?.id}`);
  const third = await pageOf(chat, second.next);
  expect(third.next).toBeUndefined();
  const ids = [first, second, third].flatMap(({ chats }) => chats.map(({ id }) => id));
  expect(ids).toHaveLength(250);
  expect(new Set(ids).size).toBe(250);
  const times = [first, second, third].flatMap(({ chats }) => chats.map(({ updatedAt }) => updatedAt));
  expect(times).toEqual(times.toSorted().reverse());
  expect((await pageOf(chat)).chats[0]).toMatchObject({ id: last, title: "Moved" });
});

test("a page of 5,000 chats reads only its own rows", async () => {
  const chat = await openChat();
  await fill(chat, 5_000);
  const { queries } = chat.services.database;
  await queries.execute(sql`ANALYZE chats`);
  const { rows } = (await queries.execute(sql`EXPLAIN SELECT * FROM chats
    WHERE owner = 'local' AND deleted_at IS NULL AND (updated_at, id) < (timestamptz '2026-01-01 00:00:00.0003', 'c9')
    ORDER BY updated_at DESC, id DESC LIMIT 101`)) as unknown as { rows: Record<string, string>[] };
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toContain("Index Scan using chats_listed");
  expect(plan).not.toContain("Sort");
  let next: string | undefined;
  let count = 0;
  do {
    const page = await pageOf(chat, next);
    count += page.chats.length;
    next = page.next;
  } while (next !== undefined);
  expect(count).toBe(5_000);
});
