import type { ScriptStep } from "@skillset/testing";
import { sql } from "drizzle-orm";
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
    const entry = { id, title: "The capital of Iceland?", count: 2 };
    expect(entries).toEqual([{ ...entry, deletedAt: expect.any(String), endsAt: expect.any(String) }]);
    expect(total).toBe(1);
    const days = (Date.parse(entries[0]?.endsAt ?? "") - Date.parse(entries[0]?.deletedAt ?? "")) / 86_400_000;
    expect(days).toBe(30);
    expect((await restore(chat, id)).status).toBe(204);
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

  skip(`is listed in pages, the last first, and emptied${suffix}`, async () => {
    const chat = await open([{ say: "One." }, { say: "Two." }]);
    const { queries } = chat.services.database;
    await queries.execute(sql`INSERT INTO chats (id, owner, title, title_words, model_id, deleted_at)
      SELECT 'c' || n, 'local', 'Old', 'old', 'offline', timestamptz '2026-01-01' + (n / 3) * interval '1 microsecond' + interval '20 years'
      FROM generate_series(1, 120) AS n`);
    const id = await chat.create();
    await chat.say(id, "Hello", { messageId: "a" });
    const seen: string[] = [];
    for (let query = ""; ; ) {
      const { entries, next, total } = await binOf(chat, query);
      expect(total).toBe(120);
      seen.push(...entries.map((entry) => entry.id));
      if (next === undefined) break;
      query = `?before=${next}`;
    }
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
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
    expect(await texts(chat, id)).toEqual(["Hello", "One."]);
  });

  skip(`deletes for good what is older than its days, on several servers at once${suffix}`, async () => {
    const chat = await open([{ say: "One." }, { say: "Two." }], { config: `${SKILLS}[database]\nbin_days = 7\n` });
    const { bin, database } = chat.services;
    const [id, young, old] = [await chat.create(), await chat.create(), await chat.create()];
    await chat.say(id, "/notes", { messageId: "a" });
    await chat.say(id, "Other", { messageId: "b", replaceFrom: "a" });
    for (const one of [young, old]) await chat.call("DELETE", `/api/chats/${one}`);
    const age = (table: string, days: number, which: string) =>
      database.queries.execute(
        sql.raw(`UPDATE ${table} SET deleted_at = now() - interval '${days} days' WHERE ${which}`),
      );
    await age("chats", 8, `id = '${old}'`);
    await age("chats", 6, `id = '${young}'`);
    const deleted: string[] = [];
    const onDeleted = async (ids: readonly string[]) => void deleted.push(...ids);
    const swept = await Promise.all([bin.sweep(onDeleted), bin.sweep(onDeleted), bin.sweep(onDeleted)]);
    expect(deleted).toEqual([old]);
    expect(swept.reduce((sum, entries) => sum + entries, 0)).toBe(1);
    expect((await binOf(chat)).entries.map((entry) => entry.id)).toEqual([young]);
    expect((await chat.load(id)).siblings).toEqual({ b: ["a", "b"] });
  });
});

test("without days, a chat is deleted at once", async () => {
  const chat = await openChat({
    config: `${SKILLS}[database]\nbin_days = 0\n`,
    files: FILES,
    script: [{ say: "One." }],
  });
  expect(await chat.get("/api/state")).toMatchObject({ binDays: 0 });
  const id = await chat.create();
  await chat.say(id, "Hello");
  await chat.call("DELETE", `/api/chats/${id}`);
  expect(await chat.get("/api/bin")).toEqual({ entries: [], total: 0 });
  expect(await (await chat.call("GET", `/api/chats/${id}`)).json()).toMatchObject({ error: { code: "not-found" } });
});
