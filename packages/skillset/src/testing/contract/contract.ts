import { activationScenarios } from "./contract-activation.ts";
import type { ContractScenario } from "./contract-adapter.ts";
import { catalogScenarios } from "./contract-catalog.ts";
import { failureScenarios } from "./contract-failures.ts";
import { fileScenarios } from "./contract-files.ts";
import { invocationScenarios } from "./contract-invocation.ts";
import { offerScenarios } from "./contract-offers.ts";
import { sessionScenarios } from "./contract-session.ts";
import { toolScenarios } from "./contract-tools.ts";

/** What every adapter must do, whatever SDK it is for: run each scenario in a test of its own, with any test runner. */
export const adapterContract: readonly ContractScenario[] = [
  ...catalogScenarios,
  ...activationScenarios,
  ...fileScenarios,
  ...toolScenarios,
  ...offerScenarios,
  ...invocationScenarios,
  ...sessionScenarios,
  ...failureScenarios,
];
