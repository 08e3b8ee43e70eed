import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ChatPage } from "../../shared/api.ts";
import { openServer } from "../database/open-server.ts";
import { openMemory } from "../testing/memory-database.ts";
import { emptyDatabase, openChat, type TestChat } from "../testing/open-chat.ts";
import { hasPostgres, POSTGRES_MISSING, type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { ChatSearch } from "./search-chats.ts";
import { findIndexed, messageHits } from "./search-index.ts";

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
  // With the trigrams of the query, so that the index finds all of them.
  await fill(chat, 150, `${"a".repeat(19_990)} aab`);
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
    INSERT INTO chats (id, owner, title, title_words, model_id)
    SELECT 'c' || n, 'local', 'Other', 'other', 'offline' FROM generate_series(1, 1200) AS n`);
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

describe.each(["PGlite", "PostgreSQL"] as const)("the index of messages on %s", (kind) => {
  const isMissing = kind === "PostgreSQL" && !hasPostgres;
  let postgres: PostgresServer | undefined;
  beforeAll(async () => {
    if (kind === "PostgreSQL" && hasPostgres) postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());
  const skip = test.skipIf(isMissing);
  const suffix = isMissing ? POSTGRES_MISSING : "";
  const open = async () =>
    openChat({ database: postgres ? await openServer(await postgres.createDatabase()) : await openMemory() });

  skip(`is used among 20,000 messages, and finds the same as a scan${suffix}`, async () => {
    const chat = await open();
    const { database } = chat.services;
    await fill(chat, 20_000, `some hay in a long line of ${"words ".repeat(20)}`);
    const id = await fill(chat, 3, "a needle-shaped thing, 100% (sharp)");
    const plan = await database.queries.transaction(async (transaction) => {
      await transaction.execute(sql`SELECT set_config('enable_seqscan', 'off', true)`);
      const { rows } = (await transaction.execute(
        sql`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${messageHits("***=needle-shaped", 500)}`,
      )) as unknown as { rows: Record<string, string>[] };
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
    expect(plan).toMatch(/Bitmap Index Scan on messages_words \(actual rows=3(\.00)? /);
    const options = { most: 500, milliseconds: 5_000 };
    for (const text of ["needle-shaped", "100% (sharp)", "edle-sha"]) {
      expect(await findIndexed(database, text, options)).toEqual([id]);
      expect((await search(chat, text)).map((one) => one.id)).toEqual([id]);
    }
    // Too short, or letters without trigrams: these are read in batches.
    for (const text of ["ne", "日本語"]) expect(await findIndexed(database, text, options)).toBeUndefined();
    // In too many messages to match all of them on this thread.
    expect(await findIndexed(database, "hay", options)).toEqual(postgres ? [expect.any(String)] : undefined);
    expect((await search(chat, "ne")).map((one) => one.id)).toContain(id);
  });

  skip(`does not find messages of hidden branches, nor does a scan${suffix}`, async () => {
    const chat = await open();
    const id = await fill(chat, 1, "needle 日本語");
    for (const query of ["needle", "日本語"]) expect(await search(chat, query)).toHaveLength(1);
    await chat.services.database.queries.execute(sql`UPDATE messages SET is_shown = false WHERE chat_id = ${id}`);
    for (const query of ["needle", "日本語"]) expect(await search(chat, query)).toEqual([]);
  });

  skip(`does not have chats in the bin${suffix}`, async () => {
    const chat = await open();
    const id = await fill(chat, 1, "needle");
    await chat.call("PATCH", `/api/chats/${id}`, { title: "Haystack" });
    for (const query of ["needle", "haystack"]) expect(await search(chat, query)).toHaveLength(1);
    await chat.call("DELETE", `/api/chats/${id}`);
    for (const query of ["needle", "haystack"]) expect(await search(chat, query)).toEqual([]);
  });
});

test.skipIf(!hasPostgres)(`a user who may not create the extension can search too${POSTGRES_MISSING}`, async () => {
  const postgres = await startPostgres();
  try {
    const url = await postgres.createDatabase();
    await postgres.run("CREATE ROLE plain LOGIN");
    await postgres.run("GRANT ALL ON SCHEMA public TO plain", url);
    const database = await openServer(url.replace("chat@", "plain@"));
    const chat = await openChat({ database });
    const id = await fill(chat, 1, "needle");
    expect((await search(chat, "needle")).map((one) => one.id)).toEqual([id]);
    const line = { event: "search-not-indexed", reason: 'permission denied to create extension "pg_trgm"' };
    expect(chat.log.filter(({ event }) => event === "search-not-indexed")).toMatchObject([line]);
    await database.close();
  } finally {
    await postgres.close();
  }
});

test("a search ends after its time, and says that there may be more", async () => {
  const chat = await openChat();
  await fill(chat, 2_000, "hay");
  const { rows, isPartial } = await new ChatSearch(chat.services.database).find("zz", { milliseconds: 0 });
  expect([rows, isPartial]).toEqual([[], true]);
});

test("without the extension, searches read all messages, and the log has the reason", async () => {
  const memory = await openMemory();
  const database = { ...memory, searchProblem: 'extension "pg_trgm" is not available' };
  const chat = await openChat({ database });
  const id = await fill(chat, 1, "needle");
  expect((await search(chat, "needle")).map((one) => one.id)).toEqual([id]);
  const reason = 'extension "pg_trgm" is not available';
  expect(chat.log).toContainEqual(expect.objectContaining({ event: "search-not-indexed", level: "warn", reason }));
});
