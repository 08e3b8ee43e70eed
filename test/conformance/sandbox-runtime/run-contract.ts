// Runs the contract of runners on the sandbox runtime: `node run-contract.ts [ID…]`. Prints one JSON object per scenario.
// A separate program, because the runner refuses to run as root.
import { sandboxRuntime } from "../../../packages/skillset/src/scripts/runners/sandbox-runtime.ts";
import { type ContractRunner, scriptRunnerContract } from "../../../packages/testing/src/index.ts";

const ids = process.argv.slice(2);
const contract: ContractRunner = { name: "sandbox-runtime", runner: sandboxRuntime() };
for (const { id, run } of scriptRunnerContract) {
  if (ids.length > 0 && !ids.includes(id)) continue;
  const failure = await run(contract).then(
    () => undefined,
    (error: unknown) => String((error as Error).stack),
  );
  console.log(JSON.stringify({ id, failure }));
}
