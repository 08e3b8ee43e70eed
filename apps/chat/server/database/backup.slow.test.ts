import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hasPostgres } from "../testing/postgres-server.ts";

const DRILL = fileURLToPath(new URL("../../../../scripts/chat-backup-drill.ts", import.meta.url));

test("a conversation is unchanged after backup and restore, of a folder and of a PostgreSQL server", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [DRILL], { encoding: "utf8", timeout: 170_000 });
  expect(status, stderr).toBe(0);
  expect(stdout).toContain("embedded database: 2 chats restored");
  expect(stdout).toContain(hasPostgres ? "PostgreSQL: 2 chats restored" : "skipped");
}, 180_000);
