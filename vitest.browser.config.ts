import { defineConfig } from "vitest/config";
import { hasPostgres, POSTGRES_MISSING } from "./apps/chat/server/testing/postgres-server.ts";

if (!hasPostgres) console.warn(`The browser tests run on the embedded database only${POSTGRES_MISSING}.`);

const UNPACK = "test/browser/unpack-chromium.ts";
const TEMPLATE = "apps/chat/server/testing/prepare-template.ts";
/** Tests of the page's appearance, which takes long and does not depend on the database. */
const SHOWN = ["test/browser/xss.test.ts", "test/browser/images.test.ts"];
/** Tests of several servers, which need more than an embedded database. */
const SEVERAL = "test/browser/two-servers.test.ts";

export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    // Each file starts its own server and browser; this deadline catches a hang.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    // A machine that runs two browsers, two servers and a database can stall one of them. The report names retried tests.
    retry: process.env.CI === undefined ? 0 : 1,
    setupFiles: ["test/setup.ts"],
    // Two cores can run two servers with their databases and two browsers.
    maxWorkers: 2,
    reporters: ["verbose"],
    // All tests run once on each database that the chat supports.
    projects: [
      { extends: true, test: { name: "embedded", globalSetup: [UNPACK, TEMPLATE], exclude: [SEVERAL] } },
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
