import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import chat from "./apps/chat/vitest.config.ts";
import { sources } from "./test/sources.ts";

// Tests that take ten seconds or more each. The other configurations leave them out, except with `SLOW=1`.

const given = {
  exclude: configDefaults.exclude,
  // This deadline catches a hang.
  testTimeout: 600_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    // Tests often wait for programs and databases, so two cores can run four workers.
    maxWorkers: Math.max(4, availableParallelism()),
    // Prints why a test is skipped.
    reporters: ["verbose"],
    projects: [
      {
        resolve: sources,
        test: {
          ...given,
          name: "library",
          include: ["{packages/*/src,test}/**/*.slow.test.ts"],
          expect: { poll: { timeout: 30_000 } },
          setupFiles: ["test/setup.ts"],
        },
      },
      { ...chat, test: { ...chat.test, ...given, include: ["server/**/*.slow.test.ts"] } },
    ],
  },
});
