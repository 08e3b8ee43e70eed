import type { DatabaseConfig } from "../config/config.ts";
import type { Log } from "../observe/log.ts";
import type { Database } from "./database.ts";
import { openFolder } from "./open-folder.ts";
import { openServer } from "./open-server.ts";

/** Opens the database and applies pending migrations. */
export async function openDatabase({ url, folder }: DatabaseConfig, log: Log): Promise<Database> {
  const onFailure = (reason: string): void => log.warn("database-not-tended", { reason });
  return url === undefined ? openFolder(folder, { onFailure }) : openServer(url);
}
