import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/agents/**/*.test.ts"],
    // Each test starts its own programs; this deadline catches a hang.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ["test/setup.ts"],
    // Prints why a test is skipped.
    reporters: ["verbose"],
  },
});
