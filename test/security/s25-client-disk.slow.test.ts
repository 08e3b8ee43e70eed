import { randomBytes } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { expect, test } from "vitest";
import { openFolder } from "../../apps/chat/server/database/open-folder.ts";
import { attachments } from "../../apps/chat/server/database/schema.ts";
import { fillDataFolder } from "../../apps/chat/server/testing/memory-database.ts";
import { openChat, type TestChat } from "../../apps/chat/server/testing/open-chat.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

const MB = 1024 * 1024;
/** What a client may store, and what the database needs beside it: its log, and an empty database of 60 MB. */
const BOUND = 230 * MB;
const LARGEST = 16 * MB;

const SETTINGS = `[limits]
requests_per_minute = 10000000
answers_per_minute = 1000000
[app.attachments]
max_mb = 20
total_mb = 40
[app.skills]
enabled = false
`;

test("S25: no way of a client to write and delete fills the disk, as it does without checkpoints", {
  timeout: 900_000,
}, async () => {
  const folder = temporaryFolder();
  await fillDataFolder(folder);
  const chat = await openChat({ config: SETTINGS, database: await openFolder(folder) });
  let through = 0;
  const largest: string[] = [];
  for (const [name, fill] of Object.entries(WAYS)) {
    await fill(chat);
    await clear(chat);
    const size = sizeOf(folder);
    largest.push(`${name} ${Math.round(size / MB)}`);
    if (size > BOUND) through++;
  }
  const control = await controlSize();
  report("S25", {
    tried: "ways of a client to write and delete",
    cases: Object.keys(WAYS).length,
    through,
    control: `without checkpoints, the first way leaves ${Math.round(control / MB)} MB`,
    note: `MB in the folder after each way: ${largest.join(", ")}`,
  });
  expect(through).toBe(0);
  expect(control).toBeGreaterThan(BOUND);
});

/** Each writes at least 60 MB. */
const WAYS: Readonly<Record<string, (chat: TestChat) => Promise<void>>> = {
  "uploads that are deleted": async (chat) => {
    for (let round = 0; round < 6; round++) await remove(chat, await upload(chat, LARGEST));
  },
  "small uploads that are deleted": async (chat) => {
    for (let round = 0; round < 500; round++) await remove(chat, await upload(chat, 128 * 1024));
  },
  "uploads of the same content": async (chat) => {
    const content = randomBytes(LARGEST);
    for (let round = 0; round < 5; round++) await post(chat, content);
  },
  "uploads beyond the limit": async (chat) => {
    for (let round = 0; round < 6; round++) await post(chat, randomBytes(LARGEST));
  },
  "uploads that are too large": async (chat) => {
    for (let round = 0; round < 4; round++) await post(chat, stream(21 * MB));
  },
  "uploads that break off": async (chat) => {
    for (let round = 0; round < 6; round++) await post(chat, stream(12 * MB, true)).catch(() => {});
  },
  "long messages": async (chat) => {
    for (let round = 0; round < 40; round++) await say(chat, await chat.create());
  },
  "messages that are edited": async (chat) => {
    const id = await chat.create();
    await say(chat, id, "first");
    for (let round = 0; round < 30; round++)
      await say(chat, id, `edit-${round}`, round === 0 ? "first" : `edit-${round - 1}`);
  },
  titles: async (chat) => {
    const id = await chat.create();
    for (let round = 0; round < 2_000; round++)
      await chat.call("PATCH", `/api/chats/${id}`, { title: `${round}`.repeat(40) });
  },
  "forks of a large chat": async (chat) => {
    const id = await chat.create();
    for (let message = 0; message < 4; message++) await say(chat, id, `m-${message}`);
    for (let fork = 0; fork < 40; fork++) await chat.call("POST", `/api/chats/${id}/fork`, { messageId: "m-3" });
  },
  "chats that are deleted and restored": async (chat) => {
    const id = await chat.create();
    await say(chat, id);
    for (let round = 0; round < 500; round++) {
      await chat.call("DELETE", `/api/chats/${id}`);
      await chat.call("POST", `/api/bin/${id}/restore`);
    }
  },
};

async function upload(chat: TestChat, bytes: number): Promise<string> {
  return ((await (await post(chat, randomBytes(bytes))).json()) as { id: string }).id;
}

async function post(chat: TestChat, body: Uint8Array | ReadableStream): Promise<Response> {
  const headers = { "content-type": "application/octet-stream" };
  const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  return chat.app.request("/api/files?name=a.bin", init);
}

function stream(bytes: number, breaksOff = false): ReadableStream {
  return ReadableStream.from(
    (async function* () {
      for (let sent = 0; sent < bytes; sent += MB) yield new Uint8Array(randomBytes(MB));
      if (breaksOff) throw new Error("The connection is gone.");
    })(),
  );
}

async function remove(chat: TestChat, id: string): Promise<void> {
  await chat.call("DELETE", `/api/files/${id}`);
}

async function say(
  chat: TestChat,
  id: string,
  messageId: string = crypto.randomUUID(),
  replaceFrom?: string,
): Promise<void> {
  const text = randomBytes(300_000).toString("hex");
  await (
    await chat.ask(id, text, { modelId: "offline-no-tools", messageId, ...(replaceFrom && { replaceFrom }) })
  ).text();
}

/** Deletes everything that a client can delete. */
async function clear(chat: TestChat): Promise<void> {
  for (;;) {
    const { chats } = await chat.get<{ chats: readonly { id: string }[] }>("/api/chats");
    if (chats.length === 0) break;
    for (const { id } of chats) await chat.call("DELETE", `/api/chats/${id}`);
  }
  await chat.call("DELETE", "/api/bin");
  // Uploads that were never sent are kept for a day, up to `total_mb`.
  const { queries } = chat.services.database;
  const files = await queries.select({ id: attachments.id }).from(attachments);
  for (const { id } of files) await remove(chat, id);
}

async function controlSize(): Promise<number> {
  const folder = temporaryFolder();
  await fillDataFolder(folder);
  const files = join(folder, "postgres");
  const client = await PGlite.create(files);
  for (let round = 0; round < 6; round++) {
    await client.query("INSERT INTO blobs (id, owner) VALUES ('a', 'o')");
    for (let piece = 0; piece < LARGEST / MB; piece++) {
      const hex = randomBytes(MB).toString("hex");
      await client.query("INSERT INTO blob_pieces (blob_id, piece, bytes) VALUES ('a', $1, decode($2, 'hex'))", [
        piece,
        hex,
      ]);
    }
    await client.query("DELETE FROM blobs");
  }
  const size = sizeOf(folder);
  await client.close();
  return size;
}

function sizeOf(folder: string): number {
  const sizes = readdirSync(folder, { recursive: true }).map(
    (name) => statSync(join(folder, String(name)), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
