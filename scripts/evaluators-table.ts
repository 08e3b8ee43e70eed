// Runs every scenario of the contract against every evaluator that needs no other program, and writes the results to
// docs/prompt.md. `npm run test:agents` runs the real agents.
import { evaluatorContract } from "../packages/testing/src/index.ts";
import { contractTable, reasonAgainst } from "../test/conformance/adapters/table.ts";
import { evaluators, tableColumns } from "../test/conformance/evaluators/all.ts";
import { replacePart } from "./replace-part.ts";

const failures = new Map<string, unknown>();
const keyOf = ({ id }: { id: string }, { name }: { name: string }): string => `${name}, ${id}`;
for (const evaluator of evaluators) {
  for (const scenario of evaluatorContract) {
    if (reasonAgainst(scenario, evaluator) !== undefined) continue;
    await scenario.run(evaluator).catch((error: unknown) => failures.set(keyOf(scenario, evaluator), error));
  }
}
for (const [key, error] of failures) console.error(`${key}:`, error);

const hasFailed = (scenario: { id: string }, column: { name: string }) => failures.has(keyOf(scenario, column));
replacePart("docs/prompt.md", "evaluators", contractTable(evaluatorContract, tableColumns, hasFailed));
console.log(`${evaluatorContract.length} scenarios, ${evaluators.length} evaluators, ${failures.size} failed`);
process.exitCode = failures.size === 0 ? 0 : 1;
