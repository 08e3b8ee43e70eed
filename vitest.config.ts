import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/{acp,conformance,security,package}/**/*.test.ts"],
    // A hang is caught by this deadline; no test asserts a speed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A test must never see the trust or the skills of the person who runs it.
    setupFiles: ["test/setup.ts"],
  },
});
