import fs, { readdirSync, statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { fillDataFolder } from "../testing/memory-database.ts";
import type { Database } from "./database.ts";
import { onFullDisk } from "./free-space.ts";
import { openFolder } from "./open-folder.ts";

test("the log and the tables of a database stay small while files are stored and deleted", async () => {
  const { folder, database } = await openEmpty();
  for (let round = 0; round < 8; round++) {
    await storeBlob(database, `file ${round}`, 16);
    await database.queries.execute(sql`DELETE FROM blobs`);
  }
  // 128 MB were written, and as much log. Empty, the folder has 60 MB.
  expect(sizeOf(join(folder, "postgres/pg_wal"))).toBeLessThan(120 * MB);
  expect(sizeOf(join(folder, "postgres/base"))).toBeLessThan(90 * MB);
});

test("what is left of many files takes a bounded multiple of its size after a restart", async () => {
  const { folder, database } = await openEmpty();
  for (let file = 0; file < 10; file++) await storeBlob(database, `file ${file}`, 16);
  // The last one keeps PostgreSQL from giving back the space before it.
  await database.queries.execute(sql`DELETE FROM blobs WHERE id <> 'file 9'`);
  expect(sizeOf(folder)).toBeGreaterThan(160 * MB);
  await database.close();
  const again = await open(folder);
  expect(sizeOf(folder)).toBeLessThan(150 * MB);
  const { rows } = (await again.queries.execute(
    sql`SELECT sum(length(bytes))::int AS bytes FROM blob_pieces`,
  )) as never;
  expect(rows).toEqual([{ bytes: 16 * MB }]);
});

test("a database on a full disk opens, can be read, and gets space when something is deleted", async () => {
  const { folder, database } = await openEmpty();
  for (let file = 0; file < 3; file++) await storeBlob(database, `file ${file}`, 16);
  await database.close();
  const makeRoom = fillDisk();
  const full = await open(folder);
  expect(full.canWrite()).toBe(false);
  const before = sizeOf(folder);
  const { rows } = (await full.queries.execute(sql`SELECT id FROM blobs`)) as unknown as { rows: unknown[] };
  expect(rows).toHaveLength(3);
  const insert = sql`INSERT INTO blobs (id, owner) VALUES ('more', 'o')`;
  await expect(full.queries.execute(insert)).rejects.toMatchObject({ cause: { code: "ENOSPC" } });
  await expect(full.queries.execute(sql`DELETE FROM blobs`)).rejects.toMatchObject({ cause: { code: "ENOSPC" } });
  await onFullDisk(() => full.queries.execute(sql`DELETE FROM blobs WHERE id <> 'file 2'`));
  await onFullDisk(() => full.queries.transaction((transaction) => transaction.execute(sql`DELETE FROM blobs`)));
  expect(sizeOf(folder)).toBeLessThan(before - 40 * MB);
  makeRoom();
  expect(full.canWrite()).toBe(true);
  await full.queries.execute(insert);
});

test("on a full disk, the space between files is returned although the statistics of the table are wrong", async () => {
  const { folder, database } = await openEmpty();
  for (let file = 0; file < 3; file++) await storeBlob(database, `file ${file}`, 8);
  await database.queries.execute(sql`DELETE FROM blobs WHERE id <> 'file 2'`);
  await database.close();
  const { queries } = await open(folder);
  const size = sizeOf(join(folder, "postgres/base"));
  fillDisk(30);
  // As if nothing had been deleted.
  const pieces = sql`(SELECT reltoastrelid FROM pg_class WHERE relname = 'blob_pieces')`;
  await onFullDisk(() => queries.execute(sql`UPDATE pg_class SET reltuples = 13000 WHERE oid = ${pieces}`));
  expect(sizeOf(join(folder, "postgres/base"))).toBeLessThan(size - 12 * MB);
});

const MB = 1024 * 1024;

async function openEmpty() {
  const folder = temporaryFolder();
  await fillDataFolder(folder);
  return { folder, database: await open(folder) };
}

async function open(folder: string): Promise<Database> {
  const database = await openFolder(folder, {
    onFailure: (reason) => {
      throw new Error(reason);
    },
  });
  onTestFinished(() => database.close().catch(() => {}));
  return database;
}

/** Stores a content that cannot be compressed, in pieces as an upload. */
async function storeBlob({ queries }: Database, id: string, megabytes: number): Promise<void> {
  await queries.execute(sql`INSERT INTO blobs (id, owner, digest, size) VALUES (${id}, 'o', ${id}, ${megabytes * MB})`);
  for (let piece = 0; piece < megabytes * 8; piece++) {
    const hex = Buffer.from(crypto.getRandomValues(new Uint8Array(64 * 1024))).toString("hex");
    await queries.execute(
      sql`INSERT INTO blob_pieces (blob_id, piece, bytes) VALUES (${id}, ${piece}, decode(${hex + hex}, 'hex'))`,
    );
  }
}

function sizeOf(folder: string): number {
  const sizes = readdirSync(folder, { recursive: true }).map((name) => {
    return statSync(join(folder, String(name)), { throwIfNoEntry: false })?.size ?? 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Makes the disk look full, but for a few MiB. Returns a function that ends it. */
function fillDisk(left = 2): () => void {
  const { statfsSync } = fs;
  const makeRoom = (): void => {
    fs.statfsSync = statfsSync;
    syncBuiltinESMExports();
  };
  fs.statfsSync = ((path: string) => ({ ...statfsSync(path), bavail: left, bsize: MB })) as typeof statfsSync;
  syncBuiltinESMExports();
  onTestFinished(makeRoom);
  return makeRoom;
}
