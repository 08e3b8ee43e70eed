import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import chatConfig from "./apps/chat/vitest.config.ts";
import { chatTests, libraryTests } from "./test/find-tests.ts";
import { SlowFirst } from "./test/slow-first.ts";
import { sources } from "./test/sources.ts";

/** Tests that take ten seconds or more each run in `npm run test:full`. */
const exclude = [...configDefaults.exclude, ...(process.env.SLOW === undefined ? ["**/*.slow.test.ts"] : [])];

const given = {
  // This deadline catches a hang; no test asserts a speed.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Generous, because waits take longer on a busy machine.
  expect: { poll: { timeout: 30_000 } },
  // Tests must not see the user's own trust store or skills.
  setupFiles: ["test/setup.ts"],
};

export default defineConfig({
  test: {
    // Tests often wait for programs and databases, so two cores can run four workers.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        resolve: sources,
        test: {
          ...given,
          name: "library",
          include: [
            "packages/*/src/**/*.test.ts",
            "scripts/*.test.ts",
            "test/{acp,conformance,mcp,security,package,recipes}/**/*.test.ts",
          ],
          exclude: [...exclude, ...libraryTests.shared],
        },
      },
      {
        resolve: sources,
        test: { ...given, name: "library, shared", isolate: false, include: libraryTests.shared },
      },
      // One database and one set of modules for each worker.
      {
        ...chatConfig,
        test: { ...chatConfig.test, isolate: false, exclude: [...exclude, ...chatTests.isolated] },
      },
      {
        ...chatConfig,
        test: { ...chatConfig.test, name: "chat, isolated", include: chatTests.isolated, globalSetup: [] },
      },
    ],
  },
});
