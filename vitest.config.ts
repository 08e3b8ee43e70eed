import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { SlowFirst } from "./test/slow-first.ts";

/** Tests that take ten seconds or more each run in `npm run test:full`. */
const exclude = [...configDefaults.exclude, ...(process.env.SLOW === undefined ? ["**/*.slow.test.ts"] : [])];

export default defineConfig({
  test: {
    // Tests often wait for programs and databases, so two cores can run four workers.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          name: "library",
          include: [
            "packages/*/src/**/*.test.ts",
            "scripts/*.test.ts",
            "test/{acp,conformance,mcp,security,package}/**/*.test.ts",
          ],
          exclude,
          // This deadline catches a hang; no test asserts a speed.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Generous, because waits take longer on a busy machine.
          expect: { poll: { timeout: 15_000 } },
          // A busy machine can stall a program that a test started. The report names retried tests.
          retry: process.env.CI === undefined ? 0 : 1,
          // Tests must not see the user's own trust store or skills.
          setupFiles: ["test/setup.ts"],
        },
      },
      "apps/chat/vitest.config.ts",
    ],
  },
});
