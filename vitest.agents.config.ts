import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/agents/**/*.test.ts"],
    // Each test starts programs of its own; a hang is caught by this deadline.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ["test/setup.ts"],
    // Says why a test is skipped.
    reporters: ["verbose"],
  },
});
