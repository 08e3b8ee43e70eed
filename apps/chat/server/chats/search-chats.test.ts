import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import type { ChatPage } from "../../shared/api.ts";
import { emptyDatabase, openChat, type TestChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const search = async (chat: TestChat, query: string) =>
  (await chat.get<ChatPage>(`/api/chats?query=${encodeURIComponent(query)}`)).chats;

/** Inserts messages directly into the database. */
async function fill(chat: TestChat, messages: number, words: string): Promise<string> {
  const id = await chat.create();
  await chat.services.database.queries.execute(sql`
    INSERT INTO messages (chat_id, id, role, parts, metadata, words)
    SELECT ${id}, 'm' || n, 'user', '[]', '{}', ${words} FROM generate_series(1, ${messages}::integer) AS n`);
  return id;
}

test("S19: the chat serves other requests during a hostile search, which LIKE would block", async () => {
  const chat = await openChat();
  await fill(chat, 150, "a".repeat(20_000));
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  expect(await search(chat, `${"a".repeat(5_000)}b`)).toHaveLength(1);
  expect(await search(chat, `${"a".repeat(199)}b`)).toEqual([]);
  expect(turns).toBeGreaterThan(3);
  // Control: the same search as one statement blocks everything.
  turns = 0;
  await chat.services.database.queries.execute(
    sql`SELECT count(*) FROM messages WHERE position <= 5 AND words LIKE ${`%${"a".repeat(199)}b%`}`,
  );
  expect(turns).toBe(0);
  clearInterval(timer);
});

test("a search finds old messages behind many newer ones, and all words in the start of a long message", async () => {
  const chat = await openChat({ script: [{ say: "Yes." }] });
  const old = await chat.create();
  await chat.say(old, `The needle. ${"More hay. ".repeat(10_000)}`);
  await fill(chat, 1_000, "hay");
  expect((await search(chat, "NEEDLE")).map(({ id }) => id)).toEqual([old]);
  expect(await search(chat, "hay")).toHaveLength(2);
  const { rows } = (await chat.services.database.queries.execute(
    sql`SELECT max(length(words)) AS longest FROM messages`,
  )) as unknown as { rows: { longest: number }[] };
  expect(rows[0]?.longest).toBe(20_000);
});

test("titles are searched too, across several batches, and special characters are literal", async () => {
  const chat = await openChat();
  const id = await chat.create();
  await chat.call("PATCH", `/api/chats/${id}`, { title: "100% of (a|b)* \\d_" });
  await chat.services.database.queries.execute(sql`
    INSERT INTO chats (id, title, title_words, model_id)
    SELECT 'c' || n, 'Other', 'other', 'offline' FROM generate_series(1, 1200) AS n`);
  for (const query of ["100%", "(a|b)*", "\\d_"])
    expect((await search(chat, query)).map((one) => one.id)).toEqual([id]);
  for (const query of [".*", "a%", "***=", "[a"]) expect(await search(chat, query)).toEqual([]);
  expect(await search(chat, "other")).toHaveLength(500);
});

test("searches above the queue limit are refused with Retry-After", async () => {
  const chat = await openChat();
  await fill(chat, 200, "hay");
  const all = await Promise.all(Array.from({ length: 60 }, () => chat.call("GET", "/api/chats?query=needle")));
  const refused = all.filter(({ status }) => status === 503);
  expect(refused).toHaveLength(10);
  expect(refused[0]?.headers.get("retry-after")).toBe("1");
  expect((await chat.call("GET", "/api/chats?query=needle")).status).toBe(200);
});
