import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    // Each file starts a server and a browser of its own; a hang is caught by this deadline.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: ["test/setup.ts"],
    globalSetup: ["test/browser/unpack-chromium.ts"],
    // Two servers with their databases and two browsers are what two cores carry.
    maxWorkers: 2,
    reporters: ["verbose"],
  },
});
