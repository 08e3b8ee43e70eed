import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

const library = fileURLToPath(new URL("../../packages/skillset/src", import.meta.url));

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
  // Tests use the sources, not the last build.
  resolve: {
    alias: [
      { find: /^skillset$/, replacement: `${library}/index.ts` },
      { find: /^skillset\/([\w-]+)$/, replacement: `${library}/$1/index.ts` },
    ],
  },
});
