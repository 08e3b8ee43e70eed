import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import chatConfig from "./apps/chat/vitest.config.ts";

// Tests next to the code that start no programs, with few cases for each property.

/** Tests that start a program, a bundler or a database take seconds, and may need the build. */
const STARTS_SOMETHING =
  /node:child_process|testing\/(open-chat|memory-database|postgres-server|start-program|bundlers|compare-with-folder|project)|"\.\/start\.ts"|scriptRunnerContract/;
/** Files share a worker's modules, which halves the time; a file that replaces modules cannot. */
const REPLACES_MODULES = /vi\.mock\(/;

const library = findTests(".", "packages/*/src/**/*.test.ts");
const chat = findTests("apps/chat", "{server,web/src}/**/*.test.ts");
const given = { setupFiles: ["test/setup.ts"], testTimeout: 60_000 };

export default defineConfig({
  test: {
    maxWorkers: Math.max(2, availableParallelism()),
    env: { CASES: "1000" },
    projects: [
      { test: { ...given, name: "library", isolate: false, include: library.shared } },
      { test: { ...given, name: "library, isolated", include: library.isolated } },
      { ...chatConfig, test: { ...chatConfig.test, isolate: false, include: chat.shared, globalSetup: [] } },
      { ...chatConfig, test: { ...chatConfig.test, name: "chat, isolated", include: chat.isolated, globalSetup: [] } },
    ],
  },
});

function findTests(folder: string, pattern: string) {
  const [shared, isolated]: [string[], string[]] = [[], []];
  for (const file of globSync(`${folder}/${pattern}`)) {
    const source = readFileSync(file, "utf8");
    if (STARTS_SOMETHING.test(source)) continue;
    (REPLACES_MODULES.test(source) ? isolated : shared).push(relative(folder, file));
  }
  return { shared, isolated };
}
