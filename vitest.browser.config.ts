import { defineConfig } from "vitest/config";
import { hasPostgres, POSTGRES_MISSING } from "./apps/chat/server/testing/postgres-server.ts";

if (!hasPostgres) console.warn(`The browser tests run on the embedded database only${POSTGRES_MISSING}.`);

const UNPACK = "test/browser/unpack-chromium.ts";
const TEMPLATE = "apps/chat/server/testing/prepare-template.ts";
/** Tests of several servers, which need more than an embedded database. */
const SEVERAL = "test/browser/two-servers.test.ts";
/** Tests of what the chat stores, which run on PostgreSQL too. The others show the same page on either database. */
const STORED = [
  // Messages, answers and their versions, while they are written and after a crash.
  ["answers", "branches", "conversation", "crash", "errors", "running-answers", "seen-live", "titles", "two-servers"],
  // Files, questions and the records of steps.
  ["attachments", "binary-files", "scripts", "search", "what-the-model-saw"],
  // Pages of chats, and deleted chats.
  ["bin", "long-chat-list"],
].flatMap((names) => names.map((name) => `test/browser/${name}.test.ts`));

export default defineConfig({
  test: {
    // Each file starts its own server and browser; this deadline catches a hang.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ["test/setup.ts"],
    // Two cores can run two servers with their databases and two browsers.
    maxWorkers: 2,
    reporters: ["verbose"],
    projects: [
      {
        extends: true,
        test: {
          name: "embedded",
          include: ["test/browser/**/*.test.ts"],
          exclude: [SEVERAL],
          globalSetup: [UNPACK, TEMPLATE],
        },
      },
      ...(hasPostgres
        ? [
            {
              extends: true as const,
              test: { name: "postgres", include: STORED, globalSetup: [UNPACK, "test/browser/provide-postgres.ts"] },
            },
          ]
        : []),
    ],
  },
});
