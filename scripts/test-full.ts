// Runs the slow tests, and every security requirement and property with 100,000 cases; prints a table of the results.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Row {
  readonly requirement: string;
  readonly cases: number;
  readonly through: number;
  readonly control?: string;
  readonly note?: string;
}

const folder = mkdtempSync(join(tmpdir(), "skillset-figures-"));
const filters = [
  "test/security",
  ".slow.",
  "test/acp/hostile",
  "test/acp/think",
  "plain-yaml",
  "serialise",
  "repair",
  "compact",
];
const run = (command: string, parameters: readonly string[]): boolean =>
  spawnSync(command, parameters, {
    stdio: "inherit",
    env: {
      ...process.env,
      SLOW: "1",
      CASES: process.env.CASES ?? "100000",
      SOAK: process.env.SOAK ?? "300",
      KILLS: process.env.KILLS ?? "20",
      SECURITY_REPORT: folder,
    },
  }).status === 0;
const isGood = [
  run("npx", ["vitest", "run", "--reporter=dot", "--testTimeout=600000", ...filters]),
  // The chat's page, in a real browser.
  run("npm", ["run", "--silent", "build", "-w", "apps/chat"]) &&
    run("npx", [
      "vitest",
      "run",
      "--config",
      "vitest.browser.config.ts",
      "--project",
      "embedded",
      "--reporter=dot",
      "xss",
    ]),
].every(Boolean);
const rows = readdirSync(folder).map((file): Row => JSON.parse(readFileSync(join(folder, file), "utf8")));
rmSync(folder, { recursive: true });

console.log("\n| requirement | cases | got through | remarks |\n| --- | ---: | ---: | --- |");
const number = (requirement: string): number => Number(requirement.slice(1));
const requirements = [...new Set(rows.map(({ requirement }) => requirement))].sort((a, b) => number(a) - number(b));
for (const requirement of requirements) {
  const its = rows.filter((row) => row.requirement === requirement);
  const sum = (field: "cases" | "through"): number => its.reduce((total, row) => total + row[field], 0);
  const remarks = its.flatMap(({ control, note }) => [control && `control: ${control}`, note]).filter(Boolean);
  console.log(
    `| ${requirement} | ${sum("cases").toLocaleString("en")} | ${sum("through")} | ${[...new Set(remarks)].join("; ")} |`,
  );
}
process.exitCode = isGood ? 0 : 1;
