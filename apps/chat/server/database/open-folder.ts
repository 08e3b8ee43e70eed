import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { StartError } from "../config/start-error.ts";
import { reasonOf } from "../observe/error-reason.ts";
import type { Database } from "./database.ts";
import { lockFolder } from "./folder-lock.ts";
import { type EmbeddedClient, hasFreeSpace, withFreeSpaceCheck } from "./free-space.ts";
import { migrate } from "./migrate.ts";
import * as schema from "./schema.ts";

/** PostgreSQL inside this process, with its files in a folder that no other process may open meanwhile. */
export async function openFolder(folder: string): Promise<Database> {
  prepare(folder);
  const unlock = await lockFolder(folder, { onLost: () => endAtOnce(folder) });
  try {
    if (!hasFreeSpace(folder)) {
      throw new StartError(
        `There is no room for the chat's database in ${folder}: make 32 MiB free, or set DATA_DIR to another folder.`,
      );
    }
    const client = await openFiles(folder);
    const close = async (): Promise<void> => {
      await client.close();
      unlock();
    };
    const database = withClient(withFreeSpaceCheck(client, folder), folder, close);
    await migrate(database.queries, { isShared: false });
    return database;
  } catch (error) {
    unlock();
    throw error;
  }
}

/** What the files hold may be anything after a full disk or a power failure; the errors of that are for nobody. */
async function openFiles(folder: string): Promise<PGlite> {
  const files = join(folder, "postgres");
  try {
    return await PGlite.create(files);
  } catch (error) {
    throw new StartError(
      `The chat's database in ${files} cannot be opened (${reasonOf(error)}): it is damaged, or another version made it. Restore a backup, or move that folder away to start without chats.`,
    );
  }
}

/** Another process has taken the folder over, and both would write. */
function endAtOnce(folder: string): never {
  process.stderr.write(
    `Another process has taken over the chat's database in ${folder}, because this one did not respond. Ending, so that the files stay whole.\n`,
  );
  process.exit(1);
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeToOthers(folder);
    // Nobody wants chats in a repository.
    const ignore = join(folder, ".gitignore");
    if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
    accessSync(folder, constants.W_OK);
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`The chat cannot write to ${folder} (${code}): set DATA_DIR to a folder of your own.`);
  }
}

/** Chats are private. A folder with other files in it may have to stay open, such as /tmp, so that is not changed. */
function closeToOthers(folder: string): void {
  const isOpen = process.platform !== "win32" && (statSync(folder).mode & 0o077) !== 0;
  if (!isOpen) return;
  if (!readdirSync(folder).every((name) => OWN_FILES.test(name))) {
    throw new StartError(
      `Other users can open ${folder}, and it holds more than the chat's data: set DATA_DIR to a folder of your own, or run 'chmod 700' on it.`,
    );
  }
  chmodSync(folder, 0o700);
}

const OWN_FILES = /^(\.gitignore|postgres|lock(\..*)?)$/;

/** A database over a client that is open. */
export function withClient(client: EmbeddedClient, place: string, close: () => Promise<void>): Database {
  return {
    queries: drizzle({ client: client as PGlite, schema }),
    place,
    isShared: false,
    notify: async () => {},
    onNotice: () => {},
    close,
  };
}
