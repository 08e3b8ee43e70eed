// Runs every contract scenario against every adapter, and writes the results to docs/adapters.md.
import { readFileSync, writeFileSync } from "node:fs";
import { adapterContract } from "../packages/skillset/src/testing/index.ts";
import { adapters } from "../test/conformance/adapters/all.ts";
import { linesOf, sources } from "../test/conformance/adapters/sources.ts";
import { contractTable, reasonAgainst } from "../test/conformance/adapters/table.ts";

const failures = new Map<string, unknown>();
const keyOf = (scenario: { id: string }, adapter: { name: string }): string => `${adapter.name}, ${scenario.id}`;
for (const adapter of adapters) {
  for (const scenario of adapterContract) {
    if (reasonAgainst(scenario, adapter) !== undefined) continue;
    await scenario.run(adapter).catch((error: unknown) => failures.set(keyOf(scenario, adapter), error));
  }
}
for (const [key, error] of failures) console.error(`${key}:`, error);

const contract = contractTable(adapterContract, adapters, (scenario, adapter) =>
  failures.has(keyOf(scenario, adapter)),
);
const lines = Object.entries(sources).map(
  ([name, files]) => `| ${name} | ${linesOf(name)} | ${files.map((file) => `\`${file}\``).join(", ")} |`,
);
const PAGE = "docs/adapters.md";
const page = replacePart(readFileSync(PAGE, "utf8"), "contract", contract);
writeFileSync(
  PAGE,
  replacePart(page, "lines", ["| adapter | lines | files |", "| --- | ---: | --- |", ...lines].join("\n")),
);
console.log(`${adapterContract.length} scenarios, ${adapters.length} adapters, ${failures.size} failed`);
process.exitCode = failures.size === 0 ? 0 : 1;

/** Replaces the text between two marker comments. */
function replacePart(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name}: written by scripts/adapters-table.ts -->\n`, `\n<!-- /${name} -->`];
  const [before, after] = [page.indexOf(start), page.indexOf(end)];
  if (before === -1 || after === -1) throw new Error(`${PAGE} has no markers for '${name}'.`);
  return page.slice(0, before + start.length) + text + page.slice(after);
}
