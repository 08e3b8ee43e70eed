import type { EvaluatorScenario } from "./contract-evaluator.ts";
import { endScenarios } from "./evaluator-contract-ends.ts";
import { listedScenarios } from "./evaluator-contract-listed.ts";
import { outputScenarios } from "./evaluator-contract-output.ts";
import { sectionScenarios } from "./evaluator-contract-sections.ts";
import { skillScenarios } from "./evaluator-contract-skills.ts";
import { textScenarios } from "./evaluator-contract-text.ts";
import { toolScenarios } from "./evaluator-contract-tools.ts";

/**
 * The behaviour that every evaluator of prompts must have. Run each scenario as a separate test, with any test runner.
 *
 * @example
 * ```ts
 * import { test } from "node:test";
 * import { type ContractEvaluator, evaluatorContract } from "@skillset/testing";
 *
 * declare const evaluator: ContractEvaluator;
 * for (const { title, needs, run } of evaluatorContract)
 *   test(title, { skip: (needs && evaluator.lacks?.[needs]) ?? false }, () => run(evaluator));
 * ```
 */
export const evaluatorContract: readonly EvaluatorScenario[] = [
  ...textScenarios,
  ...toolScenarios,
  ...sectionScenarios,
  ...outputScenarios,
  ...skillScenarios,
  ...listedScenarios,
  ...endScenarios,
];
