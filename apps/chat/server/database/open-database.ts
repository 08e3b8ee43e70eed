import type { DatabaseConfig } from "../config/config.ts";
import type { Database } from "./database.ts";
import { openFolder } from "./open-folder.ts";
import { openServer } from "./open-server.ts";

/** Opens the database and applies pending migrations. */
export async function openDatabase({ url, folder }: DatabaseConfig): Promise<Database> {
  return url === undefined ? openFolder(folder) : openServer(url);
}
