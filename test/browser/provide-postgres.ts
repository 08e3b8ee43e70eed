import type { TestProject } from "vitest/node";
import { startPostgres } from "../../apps/chat/server/testing/postgres-server.ts";

/** Starts a PostgreSQL server for all files; each chat has a separate database on it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  project.provide("postgres", postgres.url);
  return postgres.close;
}
