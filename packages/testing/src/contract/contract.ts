import { activationScenarios } from "./contract-activation.ts";
import type { ContractScenario } from "./contract-adapter.ts";
import { allowedToolsScenarios } from "./contract-allowed-tools.ts";
import { binaryScenarios } from "./contract-binary.ts";
import { catalogScenarios } from "./contract-catalog.ts";
import { failureScenarios } from "./contract-failures.ts";
import { fileScenarios } from "./contract-files.ts";
import { goneScenarios } from "./contract-gone.ts";
import { invocationScenarios } from "./contract-invocation.ts";
import { offerScenarios } from "./contract-offers.ts";
import { scriptScenarios } from "./contract-scripts.ts";
import { searchScenarios } from "./contract-search.ts";
import { sessionScenarios } from "./contract-session.ts";
import { toolScenarios } from "./contract-tools.ts";
import { toolsetScenarios } from "./contract-toolsets.ts";

/**
 * The behaviour that every adapter must have. Run each scenario as a separate test, with any test runner.
 *
 * @example
 * ```ts
 * import { test } from "node:test";
 * import { adapterContract, type ContractAdapter } from "@skillset/testing";
 *
 * declare const adapter: ContractAdapter;
 * for (const { title, needs, run } of adapterContract)
 *   test(title, { skip: (needs && adapter.lacks?.[needs]) ?? false }, () => run(adapter));
 * ```
 */
export const adapterContract: readonly ContractScenario[] = [
  ...catalogScenarios,
  ...searchScenarios,
  ...activationScenarios,
  ...fileScenarios,
  ...binaryScenarios,
  ...toolScenarios,
  ...scriptScenarios,
  ...toolsetScenarios,
  ...allowedToolsScenarios,
  ...offerScenarios,
  ...invocationScenarios,
  ...sessionScenarios,
  ...goneScenarios,
  ...failureScenarios,
];
