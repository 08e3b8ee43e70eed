// Runs the tests of the security requirements with their full numbers of cases, and writes what they report to
// docs/security.md. If a test fails, the page is left as it is. `CASES`, `SOAK` and `KILLS` change the numbers. With paths
// of tests as arguments, only these run, and only their rows are replaced: name all files that report on a row.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Figure, figuresTable } from "./figures-table.ts";
import { readPart, replacePart } from "./replace-part.ts";

/** All security tests, other tests that report, and properties that need many cases to find something. */
const FILTERS = [
  "test/security",
  "test/acp/soak",
  "test/acp/hostile",
  "test/acp/think",
  "cli/hidden-text",
  "replace-file",
  "registry-proxy",
  "plain-yaml",
  "serialise",
  "repair",
  "compact",
  "quote",
  "remote-contract",
];

const folder = mkdtempSync(join(tmpdir(), "skillset-figures-"));
const only = process.argv.slice(2);
const filters = only.length > 0 ? only : FILTERS;
const isGood =
  run("npx", ["vitest", "run", "--reporter=dot", "--testTimeout=600000", ...filters]) &&
  (only.length > 0 || runInBrowser());
const figures = readdirSync(folder).map((file): Figure => JSON.parse(readFileSync(join(folder, file), "utf8")));
rmSync(folder, { recursive: true });

const table = figuresTable(figures, only.length > 0 ? readPart("docs/security.md", "figures") : undefined);
console.log(`\n${table}`);
if (isGood) replacePart("docs/security.md", "figures", table);
else console.error("\nA test failed: docs/security.md is unchanged.");
process.exitCode = isGood ? 0 : 1;

/** The chat's page, in a real browser. */
function runInBrowser(): boolean {
  const config = ["--config", "vitest.browser.config.ts", "--project", "embedded", "--reporter=dot"];
  return run("npm", ["run", "--silent", "build", "-w", "apps/chat"]) && run("npx", ["vitest", "run", ...config, "xss"]);
}

function run(command: string, parameters: readonly string[]): boolean {
  const { CASES = "100000", SOAK = "1000", KILLS = "100" } = process.env;
  const env = { ...process.env, SLOW: "1", CASES, SOAK, KILLS, SECURITY_REPORT: folder };
  return spawnSync(command, parameters, { stdio: "inherit", env }).status === 0;
}
