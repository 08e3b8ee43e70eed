import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import chatConfig from "./apps/chat/vitest.config.ts";
import { chatTests, libraryTests } from "./test/find-tests.ts";
import { sources } from "./test/sources.ts";

// Tests next to the code that start no programs, with few cases for each property.

const given = { setupFiles: ["test/setup.ts"], testTimeout: 60_000 };

export default defineConfig({
  test: {
    maxWorkers: Math.max(2, availableParallelism()),
    env: { CASES: "1000" },
    projects: [
      { resolve: sources, test: { ...given, name: "library", isolate: false, include: libraryTests.shared } },
      { resolve: sources, test: { ...given, name: "library, isolated", include: libraryTests.isolated } },
      { ...chatConfig, test: { ...chatConfig.test, isolate: false, include: chatTests.shared, globalSetup: [] } },
      {
        ...chatConfig,
        test: { ...chatConfig.test, name: "chat, isolated", include: chatTests.isolated, globalSetup: [] },
      },
    ],
  },
});
