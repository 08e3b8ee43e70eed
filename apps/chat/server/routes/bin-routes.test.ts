import { sql } from "drizzle-orm";
import type { ScriptStep } from "skillset/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import type { BinPage, ChatPage } from "../../shared/api.ts";
import { openServer } from "../database/open-server.ts";
import { answerParts } from "../database/schema.ts";
import { emptyDatabase, type OpenChatOptions, openChat, type TestChat } from "../testing/open-chat.ts";
import { hasPostgres, POSTGRES_MISSING, type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { startSlowModel } from "../testing/slow-model.ts";

afterEach(emptyDatabase);

const FILES = { ".skills/notes/SKILL.md": skillMd("notes"), ".skills/other/SKILL.md": skillMd("other") };
const SKILLS = `[app.skills]\nenabled = true\ndirectories = ["./.skills"]\n`;

const binOf = (chat: TestChat, query = "") => chat.get<BinPage>(`/api/bin${query}`);
const idsIn = async (chat: TestChat, path: string) => (await chat.get<ChatPage>(path)).chats.map(({ id }) => id);
const restore = (chat: TestChat, id: string | undefined) => chat.call("POST", `/api/bin/${id}/restore`);
const texts = async (chat: TestChat, id: string): Promise<readonly string[]> =>
  (await chat.load(id)).messages.map(({ parts }) =>
    parts.flatMap((part) => ("text" in part ? [part.text] : [])).join(),
  );

describe.each(["PGlite", "PostgreSQL"] as const)("the bin on %s", (kind) => {
  const isMissing = kind === "PostgreSQL" && !hasPostgres;
  let postgres: PostgresServer | undefined;
  beforeAll(async () => {
    if (kind === "PostgreSQL" && hasPostgres) postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());
  const skip = test.skipIf(isMissing);
  const suffix = isMissing ? POSTGRES_MISSING : "";

  async function open(script: readonly ScriptStep[] = [], options: OpenChatOptions = {}): Promise<TestChat> {
    const database = postgres && (await openServer(await postgres.createDatabase()));
    return openChat({ files: FILES, script, pace: "global", ...options, ...(database && { database }) });
  }

  skip(`has a deleted chat, which is gone everywhere else until it is restored${suffix}`, async () => {
    const chat = await open([{ say: "Reykjavík." }]);
    const [id, other] = [await chat.create(), await chat.create()];
    await chat.say(id, "The capital of Iceland?");
    const before = await chat.load(id);
    expect((await chat.call("DELETE", `/api/chats/${id}`)).status).toBe(204);
    expect(await idsIn(chat, "/api/chats")).toEqual([other]);
    for (const query of ["iceland", "reykjavík"]) expect(await idsIn(chat, `/api/chats?query=${query}`)).toEqual([]);
    const inBin = { error: { code: "chat-in-bin", message: "This chat is in the bin. Restore it first." } };
    const refused = [
      await chat.call("GET", `/api/chats/${id}`),
      await chat.ask(id, "Hello?"),
      await chat.call("PATCH", `/api/chats/${id}`, { title: "Other" }),
      await chat.call("DELETE", `/api/chats/${id}`),
      await chat.call("GET", `/api/chats/${id}/export`),
    ];
    for (const response of refused) {
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual(inBin);
    }
    const { entries, total } = await binOf(chat);
    const entry = { id, kind: "chat", chatId: id, title: "The capital of Iceland?", count: 2, excerpt: "" };
    expect(entries).toEqual([{ ...entry, deletedAt: expect.any(String), endsAt: expect.any(String) }]);
    expect(total).toBe(1);
    const days = (Date.parse(entries[0]?.endsAt ?? "") - Date.parse(entries[0]?.deletedAt ?? "")) / 86_400_000;
    expect(days).toBe(30);
    expect(await (await restore(chat, id)).json()).toEqual({ chatId: id });
    expect(await chat.load(id)).toEqual(before);
    expect(await binOf(chat)).toEqual({ entries: [], total: 0 });
    expect((await restore(chat, id)).status).toBe(404);
  });

  skip(`stops the answer of a deleted chat, and keeps its text so far${suffix}`, async () => {
    const model = await startSlowModel();
    const chat = await open([], { config: `${SKILLS}${model.settings}` });
    const id = await chat.create();
    const asked = chat.ask(id, "Hello", { modelId: "slow/m" }).then((response) => response.text());
    model.say("Half an answer");
    const stored = async () => JSON.stringify(await chat.services.database.queries.select().from(answerParts));
    await expect.poll(stored).toContain("Half an answer");
    await chat.call("DELETE", `/api/chats/${id}`);
    await asked;
    expect(chat.services.running.size).toBe(0);
    await restore(chat, id);
    expect((await chat.load(id)).isAnswering).toBe(false);
    expect(await texts(chat, id)).toEqual(["Hello", "Half an answer"]);
  });

  skip(`has the messages that an edit replaced, and restoring swaps the two${suffix}`, async () => {
    const chat = await open([{ say: "One." }, { say: "Two." }, { say: "Three." }]);
    const id = await chat.create();
    await chat.say(id, "First", { messageId: "a" });
    await chat.say(id, "Second", { messageId: "b" });
    const before = (await chat.load(id)).messages;
    const response = await chat.ask(id, "Edited", { messageId: "a", replaceFrom: "a" });
    const replaced = response.headers.get("replaced");
    await response.text();
    const edited = await chat.load(id);
    expect(await texts(chat, id)).toEqual(["Edited", "Three."]);
    expect(edited.title).toBe("Edited");
    const { entries } = await binOf(chat);
    expect(entries).toMatchObject([{ kind: "messages", chatId: id, title: "Edited", count: 4, excerpt: "First" }]);
    expect(replaced).toBe(`${entries[0]?.id} 4`);
    expect((await restore(chat, entries[0]?.id)).status).toBe(200);
    expect((await chat.load(id)).messages).toEqual(before);
    expect((await chat.load(id)).title).toBe("First");
    const swapped = (await binOf(chat)).entries;
    expect(swapped).toMatchObject([{ kind: "messages", count: 2, excerpt: "Edited" }]);
    expect((await restore(chat, swapped[0]?.id)).status).toBe(200);
    expect((await chat.load(id)).messages).toEqual(edited.messages);
    expect((await binOf(chat)).entries).toMatchObject([{ count: 4 }]);
  });

  skip(`counts what is lost: not the same question, and not a failed answer without text${suffix}`, async () => {
    const chat = await open([{ fail: { status: 400, message: "No." } }, { say: "Good." }, { say: "Better." }]);
    const id = await chat.create();
    await chat.say(id, "Hello", { messageId: "a" });
    expect((await chat.load(id)).messages).toHaveLength(2);
    const again = await chat.ask(id, "Hello", { messageId: "a", replaceFrom: "a" });
    expect(again.headers.get("replaced")).toBeNull();
    await again.text();
    expect(await texts(chat, id)).toEqual(["Hello", "Good."]);
    expect((await binOf(chat)).entries).toEqual([]);
    await chat.say(id, "Hello", { messageId: "a", replaceFrom: "a" });
    expect((await binOf(chat)).entries).toMatchObject([{ count: 1, excerpt: "Good." }]);
  });

  skip(`restores nested replacements in order, or alone if the others were deleted for good${suffix}`, async () => {
    const chat = await open(["One.", "Two.", "Three.", "Four."].map((say) => ({ say })));
    const id = await chat.create();
    await chat.say(id, "First", { messageId: "a" });
    await chat.say(id, "Second", { messageId: "b" });
    await chat.say(id, "Second, edited", { messageId: "b", replaceFrom: "b" });
    await chat.say(id, "First, edited", { messageId: "a", replaceFrom: "a" });
    const [outer, inner] = (await binOf(chat)).entries;
    const refused = await restore(chat, inner?.id);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ error: { code: "bin-order" } });
    await restore(chat, outer?.id);
    expect(await texts(chat, id)).toEqual(["First", "One.", "Second, edited", "Three."]);
    await restore(chat, inner?.id);
    expect(await texts(chat, id)).toEqual(["First", "One.", "Second", "Two."]);
    // Back to the state before, with the outer part deleted for good.
    const [, first] = (await binOf(chat)).entries;
    await restore(chat, first?.id);
    expect(await texts(chat, id)).toEqual(["First, edited", "Four."]);
    const left = (await binOf(chat)).entries;
    const whole = left.find(({ count }) => count === 4);
    const part = left.find(({ count }) => count === 2);
    expect((await chat.call("DELETE", `/api/bin/${whole?.id}`)).status).toBe(204);
    expect((await restore(chat, part?.id)).status).toBe(200);
    expect(await texts(chat, id)).toEqual(["Second, edited", "Three."]);
    expect((await binOf(chat)).entries).toMatchObject([{ excerpt: "First, edited", count: 2 }]);
  });

  skip(`restores replaced messages during an answer, which stops${suffix}`, async () => {
    const chat = await open([{ say: "One." }, { hang: true }]);
    const id = await chat.create();
    await chat.say(id, "Hello", { messageId: "a" });
    const response = await chat.ask(id, "Hello", { messageId: "a", replaceFrom: "a" });
    const asked = response.text();
    await expect.poll(() => chat.model.requests.length).toBe(2);
    const [entry] = (await binOf(chat)).entries;
    expect((await restore(chat, entry?.id)).status).toBe(200);
    await asked;
    expect(await texts(chat, id)).toEqual(["Hello", "One."]);
    // The same question without an answer is not worth an entry.
    expect((await binOf(chat)).entries).toEqual([]);
  });

  skip(`brings back the skills that were active${suffix}`, async () => {
    const chat = await open([{ say: "One." }, { say: "Two." }]);
    const id = await chat.create();
    await chat.say(id, "/notes now", { messageId: "a" });
    await chat.say(id, "/other now", { messageId: "a", replaceFrom: "a" });
    const active = async () => (await chat.load(id)).active.map(({ name, by }) => `${name} ${by}`);
    expect(await active()).toEqual(["other user"]);
    const [entry] = (await binOf(chat)).entries;
    await restore(chat, entry?.id);
    expect(await active()).toEqual(["notes user"]);
    await restore(chat, (await binOf(chat)).entries[0]?.id);
    expect(await active()).toEqual(["other user"]);
  });

  skip(`is listed in pages, the last first, and emptied${suffix}`, async () => {
    const chat = await open([{ say: "One." }, { say: "Two." }]);
    const { queries } = chat.services.database;
    await queries.execute(sql`INSERT INTO chats (id, title, title_words, model_id, deleted_at)
      SELECT 'c' || n, 'Old', 'old', 'offline', timestamptz '2026-01-01' + (n / 3) * interval '1 microsecond' + interval '20 years'
      FROM generate_series(1, 120) AS n`);
    const id = await chat.create();
    await chat.say(id, "Hello", { messageId: "a" });
    await chat.say(id, "Bye", { messageId: "a", replaceFrom: "a" });
    const seen: string[] = [];
    for (let query = ""; ; ) {
      const { entries, next, total } = await binOf(chat, query);
      expect(total).toBe(121);
      seen.push(...entries.map((entry) => entry.id));
      if (next === undefined) break;
      query = `?before=${next}`;
    }
    expect(seen).toHaveLength(121);
    expect(new Set(seen).size).toBe(121);
    for (const before of ["x", "1_", "_c1", "99999999999999999_c1"]) {
      expect((await chat.call("GET", `/api/bin?before=${before}`)).status).toBe(400);
    }
    expect((await chat.call("DELETE", "/api/bin/c1")).status).toBe(204);
    expect((await chat.call("DELETE", "/api/bin/c1")).status).toBe(404);
    expect((await chat.call("DELETE", "/api/bin/c2%00")).status).toBe(404);
    expect((await chat.call("POST", "/api/bin/c2%00/restore")).status).toBe(404);
    expect((await chat.call("DELETE", `/api/bin/${id}`)).status).toBe(404);
    await queries.execute(sql`UPDATE chats SET deleted_at = now() WHERE deleted_at IS NOT NULL`);
    expect((await chat.call("DELETE", "/api/bin")).status).toBe(204);
    expect(await binOf(chat)).toEqual({ entries: [], total: 0 });
    expect(await texts(chat, id)).toEqual(["Bye", "Two."]);
  });

  skip(`deletes for good what is older than its days, on several servers at once${suffix}`, async () => {
    const chat = await open([{ say: "One." }, { say: "Two." }], { config: `${SKILLS}[database]\nbin_days = 7\n` });
    const { bin, database } = chat.services;
    const [id, young, old] = [await chat.create(), await chat.create(), await chat.create()];
    await chat.say(id, "/notes", { messageId: "a" });
    await chat.say(id, "Other", { messageId: "a", replaceFrom: "a" });
    for (const one of [young, old]) await chat.call("DELETE", `/api/chats/${one}`);
    const age = (table: string, days: number, which: string) =>
      database.queries.execute(
        sql.raw(`UPDATE ${table} SET deleted_at = now() - interval '${days} days' WHERE ${which}`),
      );
    await age("chats", 8, `id = '${old}'`);
    await age("chats", 6, `id = '${young}'`);
    await age("replacements", 8, "true");
    const deleted: string[] = [];
    const onDeleted = async (ids: readonly string[]) => void deleted.push(...ids);
    const swept = await Promise.all([bin.sweep(onDeleted), bin.sweep(onDeleted), bin.sweep(onDeleted)]);
    expect(deleted).toEqual([old]);
    expect(swept.reduce((sum, entries) => sum + entries, 0)).toBe(2);
    expect((await binOf(chat)).entries.map((entry) => entry.id)).toEqual([young]);
    expect(await texts(chat, id)).toEqual(["Other", "Two."]);
  });
});

test("without days, a chat and replaced messages are deleted at once", async () => {
  const config = `${SKILLS}[database]\nbin_days = 0\n`;
  const chat = await openChat({ config, files: FILES, script: [{ say: "One." }, { say: "Two." }] });
  expect(await chat.get("/api/state")).toMatchObject({ binDays: 0 });
  const id = await chat.create();
  await chat.say(id, "Hello", { messageId: "a" });
  const response = await chat.ask(id, "Bye", { messageId: "a", replaceFrom: "a" });
  expect(response.headers.get("replaced")).toBeNull();
  await response.text();
  await chat.call("DELETE", `/api/chats/${id}`);
  expect(await chat.get("/api/bin")).toEqual({ entries: [], total: 0 });
  expect(await (await chat.call("GET", `/api/chats/${id}`)).json()).toMatchObject({ error: { code: "not-found" } });
});
