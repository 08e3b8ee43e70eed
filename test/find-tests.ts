import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Tests that start a program, a bundler or a database take seconds, and may need the build. */
const STARTS_SOMETHING =
  /node:child_process|testing\/(open-chat|memory-database|postgres-server|start-program|bundlers|compare-with-folder|project)|"\.\/start\.ts"|scriptRunnerContract/;
/** Files share a worker's modules, which halves the time; a file that replaces modules cannot. */
const REPLACES_MODULES = /vi\.mock\(/;

/** The tests beside the code that start nothing, and the recorded requests. */
export const libraryTests = findTests(".", "{packages/*/src,test/requests}/**/*.test.ts");
export const chatTests = findTests("apps/chat", "{server,web/src}/**/*.test.ts");

/** Returns paths that are relative to the folder. */
function findTests(folder: string, pattern: string) {
  const [shared, isolated]: [string[], string[]] = [[], []];
  for (const file of globSync(pattern, { cwd: folder })) {
    const source = readFileSync(join(folder, file), "utf8");
    if (file.endsWith(".slow.test.ts") || STARTS_SOMETHING.test(source)) continue;
    (REPLACES_MODULES.test(source) ? isolated : shared).push(file);
  }
  return { shared, isolated };
}
