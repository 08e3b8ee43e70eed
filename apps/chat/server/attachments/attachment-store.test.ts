import { randomUUID } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { openServer } from "../database/open-server.ts";
import { blobs, chats } from "../database/schema.ts";
import { openMemory } from "../testing/memory-database.ts";
import { hasPostgres, POSTGRES_MISSING, type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { AttachmentStore } from "./attachment-store.ts";

const CONFIG = { isEnabled: true, maxFiles: 10, maxBytes: 1_000_000, totalBytes: 10_000_000 };

async function* contentOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

describe.each(["PGlite", "PostgreSQL"] as const)("attachments on %s", (kind) => {
  const isMissing = kind === "PostgreSQL" && !hasPostgres;
  const maybe = test.skipIf(isMissing);
  const suffix = isMissing ? POSTGRES_MISSING : "";
  let postgres: PostgresServer | undefined;
  let database: Database;
  let store: AttachmentStore;
  beforeAll(async () => {
    if (isMissing) return;
    postgres = kind === "PostgreSQL" ? await startPostgres() : undefined;
    database = postgres ? await openServer(postgres.url) : await openMemory();
    store = new AttachmentStore(database.queries, CONFIG);
  });
  afterAll(async () => {
    if (!isMissing) await database.close();
    await postgres?.close();
  });

  maybe(`many uploads of the same content at the same moment share it${suffix}`, async () => {
    for (let round = 0; round < 5; round++) {
      const text = `round ${round}`;
      const files = await Promise.all(Array.from({ length: 8 }, (_, at) => store.upload(contentOf(text), `${at}.txt`)));
      expect(new Set(files.map(({ id }) => id)).size).toBe(8);
      expect(await database.queries.$count(blobs)).toBe(round + 1);
    }
  });

  maybe(`of two chats that claim a file at the same moment, one gets it${suffix}`, async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await store.upload(contentOf("claimed"), "a.txt");
      const ids = [randomUUID(), randomUUID()];
      const rows = ids.map((chatId) => ({ id: chatId, title: "A", titleWords: "a", modelId: "offline" }));
      await database.queries.insert(chats).values(rows);
      const claims = await Promise.allSettled(ids.map((chatId) => store.claim(chatId, [id])));
      expect(claims.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const winner = ids[claims.findIndex(({ status }) => status === "fulfilled")];
      expect((await store.get(id))?.chatId).toBe(winner);
    }
  });

  maybe(
    `an interrupted upload is removed on the next start, or after a day where other servers may continue${suffix}`,
    async () => {
      const id = randomUUID();
      await database.queries.insert(blobs).values({ id, createdAt: new Date(Date.now() - 60_000) });
      await store.sweepContents();
      expect(await database.queries.$count(blobs, eq(blobs.id, id))).toBe(1);
      const only = new AttachmentStore(database.queries, CONFIG, { isShared: false });
      const running = randomUUID();
      await database.queries.insert(blobs).values({ id: running, createdAt: new Date(Date.now() + 1_000) });
      await only.sweepContents();
      expect(await database.queries.$count(blobs, inArray(blobs.id, [id, running]))).toBe(1);
      expect(await database.queries.$count(blobs, eq(blobs.id, running))).toBe(1);
    },
  );
});
