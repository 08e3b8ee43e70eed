import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import type { ApiError } from "../../shared/api.ts";
import { fillDataFolder } from "../testing/memory-database.ts";
import { openChat, readChunks, type TestChat } from "../testing/open-chat.ts";
import { hasPostgres, POSTGRES_MISSING, type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { FAULT_SENTENCES } from "./database-fault.ts";
import { openFolder } from "./open-folder.ts";
import { openServer } from "./open-server.ts";
import { blobPieces, blobs } from "./schema.ts";

const UNREACHABLE = { error: { code: "database-unreachable", message: FAULT_SENTENCES.unreachable } };
const FULL = { error: { code: "database-full", message: FAULT_SENTENCES.full } };

const texts = async (chat: TestChat, id: string): Promise<readonly string[]> =>
  (await chat.load(id)).messages.map(({ parts }) =>
    parts.flatMap((part) => ("text" in part ? [part.text] : [])).join(),
  );

const bodyOf = async (response: Promise<Response>): Promise<ApiError> => (await (await response).json()) as ApiError;

/** A chat whose model answers on request. */
async function openWaiting(database: Awaited<ReturnType<typeof openServer>>) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = async () => {
    await promise;
    return { say: "Worth the wait." };
  };
  const chat = await openChat({ script: [late, { say: "Again." }], database });
  return { chat, letGo: resolve };
}

describe.skipIf(!hasPostgres)(`S17: a failing PostgreSQL server${POSTGRES_MISSING}`, () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  test("killed and restarted: a readable error, no lost answer, and no restart of the chat", async () => {
    const { chat, letGo } = await openWaiting(await openServer(await postgres.createDatabase()));
    const id = await chat.create();
    const asked = chat.ask(id, "Take your time", { messageId: "m1" }).then(readChunks);
    await expect.poll(() => chat.model.requests.length).toBe(1);
    await postgres.kill();
    expect(await bodyOf(chat.call("GET", `/api/chats/${id}`))).toEqual(UNREACHABLE);
    expect(await bodyOf(chat.call("POST", "/api/chats"))).toEqual(UNREACHABLE);
    expect((await chat.call("GET", "/readyz")).status).toBe(503);
    letGo();
    await expect.poll(() => chat.log.some(({ event }) => event === "answer-waits")).toBe(true);
    await postgres.start();
    await asked;
    expect(await texts(chat, id)).toEqual(["Take your time", "Worth the wait."]);
    await chat.say(id, "And now?", { messageId: "m2" });
    expect(await texts(chat, id)).toEqual(["Take your time", "Worth the wait.", "And now?", "Again."]);
    expect((await chat.call("GET", "/readyz")).status).toBe(200);
  });

  test("hanging: every request fails with an error, and no connection leaks", async () => {
    const chat = await openChat({ database: await openServer(await postgres.createDatabase()) });
    const create = () => Promise.all(Array.from({ length: 15 }, () => chat.call("POST", "/api/chats")));
    // Fills the pool with connections that hang when used.
    await create();
    postgres.freeze();
    onTestFinished(() => postgres.wake());
    for (const response of await create()) expect(await response.json()).toEqual(UNREACHABLE);
    postgres.wake();
    expect((await create()).map(({ status }) => status)).toEqual(Array(15).fill(201));
  });

  test("out of space: a readable error, and the answer is stored once there is space", async () => {
    const url = await postgres.createDatabase();
    const { chat, letGo } = await openWaiting(await openServer(url));
    const id = await chat.create();
    const asked = chat.ask(id, "Take your time", { messageId: "m1" }).then(readChunks);
    await expect.poll(() => chat.model.requests.length).toBe(1);
    await postgres.run(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON messages EXECUTE FUNCTION refuse();`,
      url,
    );
    letGo();
    await expect.poll(() => chat.log.some(({ event }) => event === "answer-waits")).toBe(true);
    const second = await chat.create();
    expect(await bodyOf(chat.ask(second, "Hello", { messageId: "m2" }))).toEqual(FULL);
    // Stored data is readable, and the pending answer still counts as running.
    expect(await chat.load(id)).toMatchObject({ isAnswering: true });
    expect(await texts(chat, id)).toEqual(["Take your time"]);
    await postgres.run("DROP TRIGGER full_disk ON messages", url);
    await asked;
    expect(await texts(chat, id)).toEqual(["Take your time", "Worth the wait."]);
    await chat.say(second, "Hello", { messageId: "m2" });
    expect(await texts(chat, second)).toEqual(["Hello", "Worth the wait."]);
  });

  test("a message whose response was lost is not stored twice when it is sent again", async () => {
    const chat = await openChat({
      script: [{ say: "Hi." }],
      database: await openServer(await postgres.createDatabase()),
    });
    const id = await chat.create();
    const { chats } = chat.services;
    const ask = chats.ask.bind(chats);
    let isFirst = true;
    chats.ask = async (...given) => {
      const outcome = await ask(...given);
      if (!isFirst) return outcome;
      isFirst = false;
      throw Object.assign(new Error("Connection terminated unexpectedly"), { query: "" });
    };
    expect(await bodyOf(chat.ask(id, "Hello", { messageId: "m1" }))).toEqual(UNREACHABLE);
    // The server releases its unknown claim.
    await chats.keepLeases(() => chat.services.running.ids);
    await chat.say(id, "Hello", { messageId: "m1" });
    expect(await texts(chat, id)).toEqual(["Hello", "Hi."]);
    expect((await chat.ask(id, "Hello", { messageId: "m1" })).status).toBe(409);
  });
});

describe("S17: the embedded database on a full disk", () => {
  test("returns a readable error, loses nothing, and recovers without a restart", async () => {
    const folder = temporaryFolder();
    const other = temporaryFolder();
    await fillDataFolder(folder);
    const { chat, letGo } = await openWaiting(await openFolder(folder));
    const [id, unwanted] = [await chat.create(), await chat.create()];
    const asked = chat.ask(id, "Take your time", { messageId: "m1" }).then(readChunks);
    await expect.poll(() => chat.model.requests.length).toBe(1);
    const makeRoom = fillDisk();
    expect(await bodyOf(chat.call("POST", "/api/chats"))).toEqual(FULL);
    expect(await bodyOf(chat.call("PATCH", `/api/chats/${id}`, { title: "Full" }))).toEqual(FULL);
    await expect(openFolder(other)).rejects.toThrow(`Not enough disk space for the chat's database in ${other}`);
    expect([(await chat.call("GET", "/readyz")).status, (await chat.call("GET", "/healthz")).status]).toEqual([
      503, 200,
    ]);
    // Stored data is readable, and can be deleted.
    expect((await chat.call("DELETE", `/api/chats/${unwanted}`)).status).toBe(204);
    expect((await chat.call("DELETE", "/api/bin")).status).toBe(204);
    expect(await chat.load(id)).toMatchObject({ title: "Take your time", isAnswering: true });
    letGo();
    await expect.poll(() => chat.log.some(({ event }) => event === "answer-waits")).toBe(true);
    makeRoom();
    await asked;
    expect(await texts(chat, id)).toEqual(["Take your time", "Worth the wait."]);
    await chat.say(id, "And now?", { messageId: "m2" });
    expect(await texts(chat, id)).toEqual(["Take your time", "Worth the wait.", "And now?", "Again."]);
    expect(fs.readdirSync(folder).sort()).toEqual([".gitignore", "lock", "postgres", "reserve"]);
  });

  test("removes the pieces of an upload during which the disk becomes full", async () => {
    const folder = temporaryFolder();
    await fillDataFolder(folder);
    const chat = await openChat({ database: await openFolder(folder) });
    const body = ReadableStream.from(
      (async function* () {
        yield new Uint8Array(1024 * 1024);
        await expect.poll(() => chat.services.database.queries.$count(blobPieces)).toBe(8);
        fillDisk();
        yield new Uint8Array(1024 * 1024);
      })(),
    );
    const headers = { "content-type": "application/octet-stream" };
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    expect(await bodyOf(Promise.resolve(chat.app.request("/api/files?name=a.bin", init)))).toEqual(FULL);
    expect(await chat.services.database.queries.$count(blobs)).toBe(0);
  });
});

/** Makes the disk look full. Returns a function that ends it. */
function fillDisk(): () => void {
  const { statfsSync } = fs;
  const makeRoom = (): void => {
    fs.statfsSync = statfsSync;
    syncBuiltinESMExports();
  };
  fs.statfsSync = ((path: string) => ({ ...statfsSync(path), bavail: 10 })) as typeof statfsSync;
  syncBuiltinESMExports();
  onTestFinished(makeRoom);
  return makeRoom;
}
