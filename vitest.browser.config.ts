import { defineConfig } from "vitest/config";
import { hasPostgres, POSTGRES_MISSING } from "./apps/chat/server/testing/postgres-server.ts";

if (!hasPostgres) console.warn(`The browser tests run on the embedded database only${POSTGRES_MISSING}.`);

const UNPACK = "test/browser/unpack-chromium.ts";
/** What is shown does not depend on the database, and takes a while. */
const SHOWN = ["test/browser/xss.test.ts", "test/browser/images.test.ts"];
/** What is about several servers, which an embedded database does not have. */
const SEVERAL = "test/browser/two-servers.test.ts";

export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    // Each file starts a server and a browser of its own; a hang is caught by this deadline.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    setupFiles: ["test/setup.ts"],
    // Two servers with their databases and two browsers are what two cores carry.
    maxWorkers: 2,
    reporters: ["verbose"],
    // All of it once on each database that the chat can have.
    projects: [
      { extends: true, test: { name: "embedded", globalSetup: [UNPACK], exclude: [SEVERAL] } },
      ...(hasPostgres
        ? [
            {
              extends: true as const,
              test: { name: "postgres", exclude: SHOWN, globalSetup: [UNPACK, "test/browser/provide-postgres.ts"] },
            },
          ]
        : []),
    ],
  },
});
