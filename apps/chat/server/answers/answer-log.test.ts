import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import type { ChatMessage } from "../../shared/api.ts";
import type { Database } from "../database/database.ts";
import { openServer } from "../database/open-server.ts";
import { openMemory } from "../testing/memory-database.ts";
import { type Chunk, openChat, readChunks, type TestChat } from "../testing/open-chat.ts";
import { hasPostgres, POSTGRES_MISSING, type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { startSlowModel } from "../testing/slow-model.ts";

const FILES = { ".skills/notes/SKILL.md": skillMd("notes", "Takes notes.", "BODY-MARKER $ARGUMENTS") };

/** Reads events of an answer until the text contains the words, and returns the sequence number of the last. */
async function readUntil(response: Response, words: string): Promise<{ text: string; after: number }> {
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let received = "";
  for (;;) {
    const { value, done } = await reader.read();
    received += value ?? "";
    const whole = received.slice(0, received.lastIndexOf("\n\n"));
    const text = textIn(chunksIn(whole));
    if (!text.includes(words) && !done) continue;
    await reader.cancel();
    return { text, after: Number([...whole.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? 0) };
  }
}

/** Reads events of an answer to their end. `text` returns the text so far. */
function follow(response: Response): { readonly text: () => string; readonly done: Promise<void> } {
  let received = "";
  const done = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write: (value) => {
        received += value;
      },
    }),
  );
  return { text: () => textIn(chunksIn(received.slice(0, received.lastIndexOf("\n\n")))), done };
}

function chunksIn(received: string): readonly Chunk[] {
  return received
    .split("\n")
    .flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice(6)) as Chunk] : []));
}

const textIn = (chunks: readonly Chunk[]) =>
  chunks.flatMap(({ type, delta }) => (type === "text-delta" ? [String(delta)] : [])).join("");

const textOf = (message: ChatMessage | undefined) =>
  (message?.parts ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");

describe.each(["PGlite", "PostgreSQL"] as const)("a running answer on %s", (kind) => {
  const isMissing = kind === "PostgreSQL" && !hasPostgres;
  let postgres: PostgresServer | undefined;
  beforeAll(async () => {
    if (kind === "PostgreSQL" && hasPostgres) postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());
  const skip = test.skipIf(isMissing);
  const suffix = isMissing ? POSTGRES_MISSING : "";

  /** A chat with a slow model, and a second server on the same database if the database can be shared. */
  async function openSlow() {
    const model = await startSlowModel();
    const config = `[app.skills]\nenabled = true\ndirectories = ["./.skills"]\n${model.settings}`;
    const url = await postgres?.createDatabase();
    const open = (): Promise<Database> => (url === undefined ? openMemory() : openServer(url));
    const database = await open();
    const chat = await openChat({ files: FILES, config, database });
    const { project } = chat;
    const other = url === undefined ? chat : await openChat({ config, project, database: await open() });
    return { model, chat, other, database, config, project, open };
  }

  const join = (chat: TestChat, id: string, after = 0) => chat.call("GET", `/api/chats/${id}/answer?after=${after}`);

  skip(`is joined where it is by other pages, on any server, and continues live${suffix}`, async () => {
    const { model, chat, other } = await openSlow();
    const id = await chat.create();
    const asked = chat.ask(id, "/notes for me", { modelId: "slow/m" }).then(readChunks);
    model.say("One two ");
    await expect.poll(async () => (await readUntil(await join(other, id), "two ")).text).toBe("One two ");
    const second = join(other, id).then(readChunks);
    const { text, after } = await readUntil(await join(other, id), "two ");
    const third = follow(await join(other, id, after));
    model.say("three ");
    await expect.poll(third.text).toBe("three ");
    model.say("four.");
    model.end();
    expect(textIn(await asked)).toBe("One two three four.");
    await expect.poll(async () => textOf((await other.load(id)).messages.at(-1))).toBe("One two three four.");
    // Another server may learn of the end before it has the last words; the stored answer has them.
    expect("One two three four.").toContain(textIn(await second));
    await third.done;
    expect(text + third.text()).toMatch(/^One two three (four\.)?$/);
    // The instructions are not stored, and are filled in again.
    expect(JSON.stringify(await second)).toContain("BODY-MARKER for me");
    expect((await join(other, id)).status).toBe(204);
  });

  skip(`has a log without texts of skills, which is gone when the answer is stored${suffix}`, async () => {
    const { model, chat, database } = await openSlow();
    const rows = async () =>
      ((await database.queries.execute(sql`SELECT chunks FROM answer_parts`)) as unknown as { rows: unknown[] }).rows;
    const id = await chat.create();
    const asked = chat.ask(id, "/notes for me", { modelId: "slow/m" }).then(readChunks);
    model.say("Noted");
    await expect.poll(async () => JSON.stringify(await rows())).toContain("Noted");
    expect(JSON.stringify(await rows())).not.toContain("BODY-MARKER");
    model.end();
    await asked;
    expect(await rows()).toEqual([]);
  });

  skip(`joins what comes within a few milliseconds${suffix}`, async () => {
    const { model, chat } = await openSlow();
    const id = await chat.create();
    const asked = chat.ask(id, "Hello", { modelId: "slow/m" }).then(readChunks);
    await model.asked;
    for (let word = 0; word < 500; word++) model.say(`${word} `);
    model.end();
    const deltas = (await asked).filter(({ type }) => type === "text-delta");
    expect(textIn(deltas)).toBe(Array.from({ length: 500 }, (_, word) => `${word} `).join(""));
    expect(deltas.length).toBeLessThan(100);
  });

  skip(`keeps what was written when its server is killed, marked as cut off${suffix}`, async () => {
    const { model, chat, database, config, project, open } = await openSlow();
    const id = await chat.create();
    const response = await chat.ask(id, "/notes for me", { modelId: "slow/m" });
    model.say("Half an ");
    await readUntil(response, "Half an ");
    // What a page has seen is in the log already.
    if (kind === "PostgreSQL") await database.close();
    const nextDatabase = kind === "PostgreSQL" ? await open() : database;
    // It looks for expired leases four times a second. The one of the killed server is over at once.
    const next = await openChat({ config, project, database: nextDatabase, leaseSeconds: 1 });
    await nextDatabase.queries.execute(sql`UPDATE answers SET lease_until = now() - interval '1 second'`);
    await expect.poll(async () => (await next.load(id)).isAnswering).toBe(false);
    const last = (await next.load(id)).messages.at(-1);
    expect(textOf(last)).toBe("Half an ");
    expect(last?.metadata).toMatchObject({ isCut: true, modelId: "slow/m", createdAt: expect.any(String) });
    expect(last?.parts[1]).toMatchObject({ type: "tool-skills_activate", output: { data: { name: "notes" } } });
    expect((await join(next, id)).status).toBe(204);
    model.end();
  });

  skip(`asks for a sequence number that is a number${suffix}`, async () => {
    const { chat } = await openSlow();
    const id = await chat.create();
    expect((await chat.call("GET", `/api/chats/${id}/answer?after=x`)).status).toBe(400);
    expect((await chat.call("GET", "/api/chats/none/answer")).status).toBe(404);
  });
});
