import { defineConfig } from "vitest/config";
import { sources } from "./test/sources.ts";

export default defineConfig({
  resolve: sources,
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
