import type { TestProject } from "vitest/node";
import { startPostgres } from "../../apps/chat/server/testing/postgres-server.ts";

/** A real PostgreSQL server for all files; each chat has a database of its own on it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  project.provide("postgres", postgres.url);
  return postgres.close;
}
