import { containmentScenarios } from "./runner-contract-containment.ts";
import { endScenarios } from "./runner-contract-ends.ts";
import { inputScenarios } from "./runner-contract-input.ts";
import { languageScenarios } from "./runner-contract-languages.ts";
import { outputScenarios } from "./runner-contract-output.ts";
import type { RunnerScenario } from "./runner-contract-place.ts";
import { quotingScenarios } from "./runner-contract-quoting.ts";
import { variableScenarios } from "./runner-contract-variables.ts";

/**
 * The behaviour that every runner of scripts must have. Run each scenario as a separate test, with any test runner.
 *
 * @example
 * ```ts
 * import { test } from "node:test";
 * import { type ContractRunner, scriptRunnerContract } from "@skillset/testing";
 *
 * declare const runner: ContractRunner;
 * for (const { title, needs = [], run } of scriptRunnerContract) {
 *   const reason = needs.map((need) => runner.lacks?.[need]).find(Boolean);
 *   test(title, { skip: reason ?? false }, () => run(runner));
 * }
 * ```
 */
export const scriptRunnerContract: readonly RunnerScenario[] = [
  ...inputScenarios,
  ...variableScenarios,
  ...quotingScenarios,
  ...outputScenarios,
  ...endScenarios,
  ...languageScenarios,
  ...containmentScenarios,
];
