import { changeScenarios } from "./source-contract-changes.ts";
import type { SourceScenario } from "./source-contract-place.ts";
import { problemScenarios } from "./source-contract-problems.ts";
import { readScenarios } from "./source-contract-reads.ts";

/**
 * The behaviour that every source of skills must have. Run each scenario as a separate test, with any test runner.
 *
 * @example
 * ```ts
 * import { test } from "node:test";
 * import { type ContractSource, sourceContract } from "@skillset/testing";
 *
 * declare const source: ContractSource;
 * for (const { title, needs, run } of sourceContract)
 *   test(title, { skip: (needs && source.lacks?.[needs]) ?? false }, () => run(source));
 * ```
 */
export const sourceContract: readonly SourceScenario[] = [...readScenarios, ...problemScenarios, ...changeScenarios];
