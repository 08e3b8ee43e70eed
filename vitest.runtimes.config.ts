import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/runtimes/*.test.ts"],
    // Each test builds a program and runs it; this deadline catches a hang.
    testTimeout: 900_000,
    hookTimeout: 60_000,
    setupFiles: ["test/setup.ts"],
    globalSetup: ["test/browser/unpack-chromium.ts"],
    // Two cores can build two programs at a time.
    maxConcurrency: 2,
    maxWorkers: 1,
    // Prints why a test is skipped.
    reporters: ["verbose"],
  },
});
