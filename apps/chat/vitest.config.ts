import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { sources } from "../../test/sources.ts";

// biome-ignore lint/style/noDefaultExport: Vitest reads it
export default defineConfig({
  test: {
    name: "chat",
    root: fileURLToPath(new URL(".", import.meta.url)),
    include: ["server/**/*.test.ts", "web/src/**/*.test.ts"],
    // They run in `npm run test:full`.
    exclude: [...configDefaults.exclude, ...(process.env.SLOW === undefined ? ["**/*.slow.test.ts"] : [])],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Generous, because waits take longer on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: [fileURLToPath(new URL("server/testing/prepare-template.ts", import.meta.url))],
    setupFiles: [fileURLToPath(new URL("../../test/setup.ts", import.meta.url))],
  },
  resolve: sources,
});
