import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import type { Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { EXTENSIONS, withClient } from "../database/open-folder.ts";
import { createSearchIndexes } from "../database/search-index.ts";

/** A migrated database in memory. Creating one takes seconds, so the first is saved as a file that the others load. */
export async function openMemory(): Promise<Database> {
  const loadDataDir = new Blob([readFileSync(await findTemplate())]);
  const client = await PGlite.create({ loadDataDir, extensions: EXTENSIONS });
  return withClient(client, "memory", () => client.close());
}

/** Puts a migrated, empty database into the data folder of a chat, so that it starts ten times faster. */
export async function fillDataFolder(folder: string): Promise<void> {
  const postgres = join(folder, "postgres");
  mkdirSync(postgres, { recursive: true, mode: 0o700 });
  execFileSync("tar", ["-xf", await findTemplate(), "-C", postgres], { stdio: "pipe" });
}

/** Returns the path of the saved database, and creates it if it is missing. */
export async function findTemplate(): Promise<string> {
  const template = join(tmpdir(), `skillset-chat-${versionOfTables()}.tar`);
  if (!existsSync(template)) await writeTemplate(template);
  return template;
}

async function writeTemplate(template: string): Promise<void> {
  const client = await PGlite.create({ extensions: EXTENSIONS });
  const { queries } = withClient(client, "memory", () => client.close());
  await migrate(queries, { isShared: false });
  const problem = await createSearchIndexes(queries, { isShared: false });
  if (problem !== undefined) throw new Error(problem);
  const dump = await client.dumpDataDir("none");
  const own = `${template}.${process.pid}`;
  writeFileSync(own, Buffer.from(await dump.arrayBuffer()));
  renameSync(own, template);
  await client.close();
}

function versionOfTables(): string {
  const folder = fileURLToPath(new URL("../database/migrations/", import.meta.url));
  const hash = createHash("sha256");
  for (const name of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, name)));
  hash.update(readFileSync(join(folder, "../search-index.ts")));
  return hash.digest("hex").slice(0, 16);
}
