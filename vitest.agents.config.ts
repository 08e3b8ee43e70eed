import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/agents/**/*.test.ts"],
    // Each test starts its own programs; this deadline catches a hang.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ["test/setup.ts"],
    // Tests mostly wait for programs, so two cores can run three files.
    maxWorkers: 3,
    // Prints why a test is skipped.
    reporters: ["verbose"],
  },
});
