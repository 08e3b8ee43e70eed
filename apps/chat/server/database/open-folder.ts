import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { StartError } from "../start-error.ts";
import type { Database } from "./database.ts";
import { lockFolder } from "./folder-lock.ts";
import { migrate } from "./migrate.ts";
import * as schema from "./schema.ts";
import { type EmbeddedClient, hasRoom, withRoom } from "./with-room.ts";

/** PostgreSQL inside this process, with its files in a folder that no other process may open meanwhile. */
export async function openFolder(folder: string): Promise<Database> {
  prepare(folder);
  const unlock = lockFolder(folder);
  try {
    if (!hasRoom(folder)) {
      throw new StartError(
        `There is no room for the chat's database in ${folder}: make 32 MiB free, or set DATA_DIR to another folder.`,
      );
    }
    const client = await PGlite.create(join(folder, "postgres"));
    const close = async (): Promise<void> => {
      await client.close();
      unlock();
    };
    const database = withClient(withRoom(client, folder), folder, close);
    await migrate(database.queries, { isShared: false });
    return database;
  } catch (error) {
    unlock();
    throw error;
  }
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Nobody wants chats in a repository.
    const ignore = join(folder, ".gitignore");
    if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`The chat cannot write to ${folder} (${code}): set DATA_DIR to a folder of your own.`);
  }
}

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
