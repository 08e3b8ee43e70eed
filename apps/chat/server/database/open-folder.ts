import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { drizzle } from "drizzle-orm/pglite";
import { StartError } from "../config/start-error.ts";
import { reasonOf } from "../observe/error-reason.ts";
import type { Database } from "./database.ts";
import { lockFolder } from "./folder-lock.ts";
import { FolderUpkeep, logSettings, type UpkeepOptions } from "./folder-upkeep.ts";
import {
  type EmbeddedClient,
  freeBytes,
  hasFreeSpace,
  hasSpaceToOpen,
  onFullDisk,
  withFreeSpaceCheck,
} from "./free-space.ts";
import { migrate } from "./migrate.ts";
import * as schema from "./schema.ts";
import { createSearchIndexes } from "./search-index.ts";
import { keepReserve, releaseReserve } from "./space-reserve.ts";

/** Runs PostgreSQL inside this process, with its files in a folder that is locked against other processes. */
export async function openFolder(folder: string, options: Omit<UpkeepOptions, "folder"> = {}): Promise<Database> {
  prepare(folder);
  demandSpace(folder);
  const unlock = await lockFolder(folder, { onLost: () => endAtOnce(folder) });
  try {
    const client = await openFiles(folder);
    const upkeep = new FolderUpkeep(client, { ...options, folder });
    await upkeep.start();
    const close = async (): Promise<void> => {
      await upkeep.stop();
      await client.close();
      unlock();
    };
    const canWrite = (): boolean => hasFreeSpace(folder);
    const checked = withFreeSpaceCheck(client, folder, upkeep);
    const database = { ...withClient(checked, folder, close), canWrite };
    await onFullDisk(() => migrate(database.queries, { isShared: false, hasRoom: canWrite }));
    // The index, and the database's log of building it.
    const hasRoom = (bytes: number): boolean => hasFreeSpace(folder, 3 * bytes);
    const searchProblem = await createSearchIndexes(database.queries, { isShared: false, hasRoom });
    return { ...database, searchProblem };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** What the embedded database can do in addition: an index for searches. */
export const EXTENSIONS = { pg_trgm };

/** A database that exists is opened on a full disk too: people can read, and delete to free space. */
function demandSpace(folder: string): void {
  const exists = existsSync(join(folder, "postgres/PG_VERSION"));
  if (exists ? hasSpaceToOpen(folder) : hasFreeSpace(folder, NEW_DATABASE)) return;
  throw new StartError(
    `Not enough disk space for the chat's database in ${folder}. Free ${exists ? 1 : 96} MiB, or set DATA_DIR to another folder.`,
  );
}

/** After a power failure the files may be damaged. The raw errors would not help anyone. */
async function openFiles(folder: string): Promise<PGlite> {
  const files = join(folder, "postgres");
  const isLow = !hasFreeSpace(folder);
  const startParams = [...PGlite.defaultStartParams, ...logSettings(folder)];
  if (isLow) releaseReserve(folder);
  try {
    const client = await PGlite.create(files, { extensions: EXTENSIONS, startParams });
    // At once: what was released is for the next crash, not for messages.
    if (isLow) keepReserve(folder, MIB);
    return client;
  } catch (error) {
    const missing = MOST_TO_RECOVER - freeBytes(folder);
    if (missing > 0) {
      throw new StartError(
        `The chat's database in ${files} cannot be opened, because the disk is nearly full. Free ${Math.ceil(missing / MIB)} MiB, then start the chat again.`,
      );
    }
    throw new StartError(
      `The chat's database in ${files} cannot be opened (${reasonOf(error)}). It is damaged, or another version created it. Restore a backup, or move that folder away to start without chats.`,
    );
  }
}

/** Stops this process, because another one has taken over the folder and both would write. */
function endAtOnce(folder: string): never {
  process.stderr.write(
    `Another process has taken over the chat's database in ${folder}, because this one did not respond. Stopping to protect the files.\n`,
  );
  process.exit(1);
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeToOthers(folder);
    // Keeps the chats out of the repository.
    const ignore = join(folder, ".gitignore");
    if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
    accessSync(folder, constants.W_OK);
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`The chat cannot write to ${folder} (${code}). Set DATA_DIR to a folder that you own.`);
  }
}

/** Chats are private. A folder with other files, such as /tmp, may have to stay accessible, so it is not changed. */
function closeToOthers(folder: string): void {
  const isOpen = process.platform !== "win32" && (statSync(folder).mode & 0o077) !== 0;
  if (!isOpen) return;
  if (!readdirSync(folder).every((name) => OWN_FILES.test(name))) {
    throw new StartError(
      `Other users can open ${folder}, which also contains other files. Set DATA_DIR to a folder that you own, or run 'chmod 700' on it.`,
    );
  }
  chmodSync(folder, 0o700);
}

const MIB = 1024 * 1024;
const NEW_DATABASE = 64 * MIB;
/** The log since the last checkpoint may be written into tables again, and needs its next segments. */
const MOST_TO_RECOVER = 64 * MIB;

const OWN_FILES = /^(\.gitignore|id|postgres|reserve|script-files|lock(\..*)?)$/;

/** Creates a database from an open client. */
export function withClient(client: EmbeddedClient, place: string, close: () => Promise<void>): Database {
  return {
    queries: drizzle({ client: client as PGlite, schema }),
    place,
    isShared: false,
    searchProblem: undefined,
    canWrite: () => true,
    notify: async () => {},
    onNotice: () => {},
    close,
  };
}
