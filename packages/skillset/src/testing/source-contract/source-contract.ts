import { changeScenarios } from "./source-contract-changes.ts";
import type { SourceScenario } from "./source-contract-place.ts";
import { problemScenarios } from "./source-contract-problems.ts";
import { readScenarios } from "./source-contract-reads.ts";

/** What every source of skills must do: run each scenario as one test, with any test runner. */
export const sourceContract: readonly SourceScenario[] = [...readScenarios, ...problemScenarios, ...changeScenarios];
