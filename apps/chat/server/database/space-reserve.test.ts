import { spawnSync } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { fillDataFolder } from "../testing/memory-database.ts";
import { mountSmallDisk, SMALL_DISK_MISSING, type SmallDisk } from "../testing/small-disk.ts";
import type { Database } from "./database.ts";
import { openFolder } from "./open-folder.ts";
import { blobs } from "./schema.ts";

const FAILS = fileURLToPath(new URL("../testing/fail-transaction.ts", import.meta.url));
const skip = test.skipIf(SMALL_DISK_MISSING !== "");

skip(`a database whose recovery needs more space than a full disk has uses its reserve${SMALL_DISK_MISSING}`, async () => {
  const { disk, folder } = await crashOnFullDisk();
  const database = await open(folder);
  expect(await ids(database)).toEqual(["kept"]);
  expect(disk.free()).toBeLessThan(32);
  expect(database.canWrite()).toBe(false);
});

skip(`without a reserve, the error says how much to free, and not that files are damaged${SMALL_DISK_MISSING}`, async () => {
  const { disk, folder } = await crashOnFullDisk();
  rmSync(join(folder, "reserve"));
  disk.fill(4);
  const message = await open(folder).catch((error) => String(error));
  expect(message).toMatch(/the disk is nearly full\. Free \d\d MiB, then start the chat again/);
  disk.fill(4 + Number(/Free (\d+) MiB/.exec(String(message))?.[1]));
  expect(await ids(await open(folder))).toEqual(["kept"]);
});

/** The folder of a database that was killed, on a disk that another program then filled. */
async function crashOnFullDisk(): Promise<{ readonly disk: SmallDisk; readonly folder: string }> {
  const disk = mountSmallDisk(300);
  const folder = join(disk.folder, "data");
  await fillDataFolder(folder);
  expect(spawnSync(process.execPath, [FAILS, folder], { stdio: "inherit" }).signal).toBe("SIGKILL");
  expect(statSync(join(folder, "reserve")).size).toBeGreaterThan(0);
  disk.fill(4);
  return { disk, folder };
}

async function open(folder: string): Promise<Database> {
  const database = await openFolder(folder);
  onTestFinished(() => database.close().catch(() => {}));
  return database;
}

async function ids({ queries }: Database): Promise<readonly string[]> {
  return (await queries.select({ id: blobs.id }).from(blobs)).map(({ id }) => id);
}
