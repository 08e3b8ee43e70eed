// Runs every contract scenario against every adapter, and writes the results to docs/adapters.md.
import { adapterContract } from "../packages/testing/src/index.ts";
import { adapters } from "../test/conformance/adapters/all.ts";
import { linesOf, sources } from "../test/conformance/adapters/sources.ts";
import { contractTable, reasonAgainst } from "../test/conformance/adapters/table.ts";
import { offersTable } from "../test/conformance/operations/offers.ts";
import { replacePart } from "./replace-part.ts";

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
replacePart("docs/adapters.md", "contract", contract);
replacePart("docs/adapters.md", "operations", offersTable());
replacePart("docs/adapters.md", "lines", ["| adapter | lines | files |", "| --- | ---: | --- |", ...lines].join("\n"));
console.log(`${adapterContract.length} scenarios, ${adapters.length} adapters, ${failures.size} failed`);
process.exitCode = failures.size === 0 ? 0 : 1;
