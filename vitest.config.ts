import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { SlowFirst } from "./test/slow-first.ts";

/** Tests that take ten seconds or more each run in `npm run test:full`. */
const exclude = [...configDefaults.exclude, ...(process.env.SLOW === undefined ? ["**/*.slow.test.ts"] : [])];

export default defineConfig({
  test: {
    // Much of the time goes into waiting for programs and databases: two cores carry four workers.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          name: "library",
          include: [
            "packages/*/src/**/*.test.ts",
            "scripts/*.test.ts",
            "test/{acp,conformance,security,package}/**/*.test.ts",
          ],
          exclude,
          // A hang is caught by this deadline; no test asserts a speed.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // A test must never see the trust or the skills of the person who runs it.
          setupFiles: ["test/setup.ts"],
        },
      },
      "apps/chat/vitest.config.ts",
    ],
  },
});
